// What the page of a run must do: start, play, scrub, take keys, pick a body, show forces, and never complain.
'use strict';

const wait = (milliseconds) => new Promise((done) => { setTimeout(done, milliseconds); });

async function check() {
  const { sarrus: page, complaints } = window;
  const faults = [];
  const expect = (claim, holds) => { if (!holds) faults.push(claim); };
  expect('the page starts', page && page.stage);
  if (!page || !page.stage) return [...faults, ...complaints];
  const { player, run, stage } = page;
  const press = (key) => window.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  const byId = (id) => document.getElementById(id);

  expect('its title is text', document.title === '<b>pendulum</b>' && byId('name').children.length === 0);
  expect('it has all rows and bodies', run.time.length === 1001 && run.bodies.length === 12);

  press(' ');
  for (let i = 0; i < 40 && player.time <= 0.1; i++) await wait(100); // a loaded machine draws slowly
  expect('space plays', player.time > 0.1 && player.isPlaying);
  press(' ');
  expect('space pauses', !player.isPlaying);

  byId('scrub').value = 0.25;
  byId('scrub').dispatchEvent(new Event('input'));
  expect('scrubbing seeks', Math.abs(player.time - 2.5) < 1e-9 && byId('clock').textContent.startsWith('2.500 s'));
  press('ArrowRight');
  expect('arrows step', Math.abs(player.time - 2.51) < 1e-9);
  press('End');
  expect('end is the end', player.time === run.end);
  const before = player.speed;
  press('+');
  expect('plus is faster', player.speed > before);

  player.seek(0);
  const kept = run.column(run.columns.findIndex(({ name }) => name === 'q:hinge1'));
  expect('columns are numbers', Math.abs(kept[0] + Math.PI / 4) < 1e-6);

  // A body is where kinematics says, has its colour there, and is picked there.
  player.seek(1.5);
  const ball = stage.bodies[5].children.find((mesh) => mesh.userData.shape);
  const { x, y } = stage.project(ball.getWorldPosition(new THREE.Vector3()));
  stage.draw();
  const gl = stage.renderer.getContext();
  const ratio = gl.drawingBufferWidth / stage.canvas.clientWidth;
  const pixel = new Uint8Array(4);
  gl.readPixels(Math.round(x * ratio), Math.round(gl.drawingBufferHeight - y * ratio), 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
  expect(`an orange body is orange, not ${pixel}`, pixel[0] > pixel[1] && pixel[1] > pixel[2]);
  const box = stage.canvas.getBoundingClientRect();
  for (const [Kind, type] of [[PointerEvent, 'pointerdown'], [PointerEvent, 'pointerup'], [MouseEvent, 'click']])
    stage.canvas.dispatchEvent(new Kind(type, { clientX: box.left + x, clientY: box.top + y, bubbles: true, button: 0 }));
  expect('a click names the body', byId('body').textContent.includes(run.bodies[5].name));
  expect('and shows its numbers', byId('body').textContent.includes('kinetic energy'));
  press('Escape');
  expect('escape lets go', byId('body').textContent === '');

  // Forces of the floor point up.
  let n = 0;
  for (let frame = 0; frame < run.time.length; frame++)
    for (const { pair, force } of run.touching(frame)) {
      if (pair.b !== 'floor' || Math.hypot(...force) === 0) continue;
      n++;
      expect(`the floor pushes up at frame ${frame}`, force[2] > 0);
      if (n === 1) {
        player.seek(run.time[frame]);
        expect('an arrow shows it', page.marks.arrows.some(({ group, shaft }) => group.visible && shaft.visible));
        press('k');
        const touching = run.touching(frame);
        const at = touching.findIndex((contact) => contact.pair.b === 'floor');
        const hull = page.marks.hulls[at];
        expect('a friction cone stands on the floor', hull && hull.visible &&
          new THREE.Vector3(0, 1, 0).applyQuaternion(hull.quaternion).z > 0.999);
        expect('as wide as friction is', hull && Math.abs(hull.scale.x / hull.scale.y - touching[at].cone[3]) < 1e-6);
      }
    }
  expect('the floor is touched', n > 0);
  for (const key of ['k', 't', 'f', 'm', 'v', 'g', 'x', 's', 'c', 'l', 'r', 'Home']) press(key);
  byId('colour').value = 'kinetic energy';
  byId('colour').dispatchEvent(new Event('change'));
  return [...faults, ...complaints];
}

check().catch((error) => [String(error.stack)]).then((faults) => {
  document.body.dataset.verdict = faults.length === 0 ? 'good' : faults.join('; ');
});
