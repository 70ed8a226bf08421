// Time: playing, scrubbing, speed, looping.

const speeds = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];

class Player {
  constructor(run, changed) {
    this.run = run;
    this.changed = changed;
    this.time = run.start;
    this.speed = this.firstSpeed();
    this.loops = true;
    this.isPlaying = false;
  }

  // As it was, but a run shorter than a second takes two.
  firstSpeed() {
    const length = this.run.end - this.run.start;
    return length >= 1 ? 1 : speeds.filter((speed) => length / speed >= 2).pop() || speeds[0];
  }

  seek(time) {
    this.time = Math.min(this.run.end, Math.max(this.run.start, time));
    this.changed();
  }

  // To the frame so many frames further on.
  step(frames) {
    this.pause();
    const { frame } = this.run.at(this.time);
    this.seek(this.run.time[Math.min(this.run.time.length - 1, Math.max(0, frame + frames))]);
  }

  play() {
    if (this.isPlaying || this.run.end <= this.run.start) return;
    if (this.time >= this.run.end) this.time = this.run.start;
    this.isPlaying = true;
    this.last = null;
    const tick = (now) => {
      if (!this.isPlaying) return;
      if (this.last !== null) this.advance(Math.min(0.25, (now - this.last) / 1000));
      this.last = now;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    this.changed();
  }

  advance(seconds) {
    const time = this.time + this.speed * seconds;
    if (time >= this.run.end && !this.loops) this.isPlaying = false;
    this.seek(time >= this.run.end && this.loops ? this.run.start : time);
  }

  pause() {
    this.isPlaying = false;
    this.changed();
  }

  toggle() {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  // To the next slower (-1) or faster (1) speed.
  shift(by) {
    const i = speeds.indexOf(this.speed) + by;
    if (speeds[i]) this.speed = speeds[i];
    this.changed();
  }
}
