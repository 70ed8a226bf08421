// The page: stage, marks, curves and player, and the controls that join them.

const element = (id) => document.getElementById(id);

function make(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

class Page {
  constructor(run) {
    this.run = run;
    this.player = new Player(run, () => this.show());
    this.curves = new Curves(run, element('curves'), (time) => this.player.seek(time));
    try {
      this.stage = new Stage(run, element('picture'));
      this.marks = new Marks(this.stage);
    } catch (error) {
      this.stage = null;
      element('trouble').hidden = false;
      element('trouble').textContent = `No picture: ${error.message} (the page needs WebGL).`;
    }
    this.describe();
    this.addSwitches();
    this.addColumns();
    this.addControls();
    this.addKeys();
    this.addPointer();
    window.addEventListener('resize', () => this.resize());
    window.addEventListener('hashchange', () => this.obey());
    this.curves.choose(run.chosen);
    this.resize();
    this.obey();
  }

  describe() {
    const { run } = this;
    document.title = run.name;
    element('name').textContent = run.name;
    const count = (n, what) => `${n} ${what}${n === 1 ? '' : 's'}`;
    element('about').textContent = `${count(run.bodies.length, run.bodies.length === 1 ? 'body' : 'bodie')}, ` +
      `${brief(run.end - run.start)} s, ${count(run.time.length, 'frame')}`;
  }

  // #t=2.5 shows that time, #eye=x,y,z looks from that direction.
  obey() {
    const wishes = new URLSearchParams(location.hash.slice(1));
    const eye = (wishes.get('eye') || '').split(',').map(Number);
    if (this.stage && eye.length === 3 && eye.every(Number.isFinite))
      this.stage.look(new THREE.Vector3().fromArray(eye).normalize());
    for (const [name, group] of this.stage ? this.groups() : [])
      if (wishes.has(name)) this.flip(name, group, wishes.get(name) !== '0');
    if (wishes.has('t')) this.player.seek(Number(wishes.get('t')));
    else this.show();
  }

  // -------------------------------------------------------------------------------------------------------------------
  // What is shown
  // -------------------------------------------------------------------------------------------------------------------

  groups() {
    const cones = this.run.cones ? [['friction cones', this.marks.cones]] : [];
    return [['forces', this.marks.forces], ...cones, ['traces', this.marks.traces], ['frames', this.marks.frames],
      ['centres', this.marks.centres], ['follow', null], ['contact shapes', null], ['shadows', null], ['see-through', null]];
  }

  flip(name, group, isOn) {
    if (group) group.visible = isOn;
    if (name === 'contact shapes') for (const mesh of this.stage.contactShapes) mesh.visible = isOn;
    if (name === 'follow') this.stage.follows = isOn;
    if (name === 'shadows') this.stage.sun.castShadow = isOn;
    if (name === 'see-through')
      for (const material of this.stage.materials)
        for (const one of [material, material.userData.faceted])
          if (one) Object.assign(one, { transparent: isOn, opacity: isOn ? 0.35 : 1, needsUpdate: true });
    this.switches.get(name).checked = isOn;
    this.show();
  }

  addSwitches() {
    this.switches = new Map();
    if (!this.stage) return;
    for (const [name, group] of this.groups()) {
      const box = make('input', { type: 'checkbox', checked: group ? group.visible : name === 'shadows' || (name === 'follow' && this.stage.follows) });
      box.addEventListener('change', () => this.flip(name, group, box.checked));
      this.switches.set(name, box);
      element('switches').append(make('label', {}, box, ` ${name}`));
    }
    const colours = ['own', ...(this.run.energies ? ['kinetic energy'] : []), ...(this.run.pairs.length ? ['contact force'] : [])];
    element('colour').append(...colours.map((colour) => make('option', {}, colour)));
    element('colour').addEventListener('change', () => {
      this.marks.colour = element('colour').value;
      this.show();
    });
  }

  addColumns() {
    const list = element('columns');
    this.boxes = this.run.columns.map((column, i) => {
      const box = make('input', { type: 'checkbox', checked: this.run.chosen.includes(i) });
      box.addEventListener('change', () => {
        this.curves.choose(this.boxes.map((other, k) => (other.checked ? k : -1)).filter((k) => k >= 0));
        this.resize();
      });
      list.append(make('label', {}, box, column.name, make('span', { className: 'unit' }, column.unit)));
      return box;
    });
    element('filter').addEventListener('input', () => {
      const wanted = element('filter').value.toLowerCase();
      this.boxes.forEach((box, i) => {
        box.parentElement.hidden = !this.run.columns[i].name.toLowerCase().includes(wanted);
      });
    });
  }

  addControls() {
    const { player } = this;
    element('play').addEventListener('click', () => player.toggle());
    element('scrub').addEventListener('input', () => {
      player.isPlaying = false;
      player.seek(this.run.start + Number(element('scrub').value) * (this.run.end - this.run.start));
    });
    element('speed').append(...speeds.map((speed) => make('option', { value: speed }, `${speed}×`)));
    element('speed').addEventListener('change', () => { player.speed = Number(element('speed').value); });
    element('loop').addEventListener('change', () => { player.loops = element('loop').checked; });
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Keys and pointer
  // -------------------------------------------------------------------------------------------------------------------

  addKeys() {
    const { player } = this;
    const turn = (name) => {
      const found = this.stage && this.groups().find(([other]) => other === name);
      if (found) this.flip(name, found[1], !this.switches.get(name).checked);
    };
    const keys = [
      [[' '], 'space', 'play or pause', () => player.toggle()],
      [['ArrowLeft'], '←', 'a frame back (shift: ten)', (event) => player.step(event.shiftKey ? -10 : -1)],
      [['ArrowRight'], '→', 'a frame on (shift: ten)', (event) => player.step(event.shiftKey ? 10 : 1)],
      [['Home'], 'home', 'to the start', () => player.seek(this.run.start)],
      [['End'], 'end', 'to the end', () => player.seek(this.run.end)],
      [['-'], '−', 'slower', () => player.shift(-1)],
      [['+', '='], '+', 'faster', () => player.shift(1)],
      [['l'], 'l', 'loop', () => { player.loops = !player.loops; this.show(); }],
      [['c'], 'c', 'contact forces', () => turn('forces')],
      [['k'], 'k', 'friction cones (of HDF5 files)', () => turn('friction cones')],
      [['t'], 't', 'traces', () => turn('traces')],
      [['f'], 'f', 'frames', () => turn('frames')],
      [['m'], 'm', 'centres of mass', () => turn('centres')],
      [['v'], 'v', 'follow the picked body, or all', () => turn('follow')],
      [['g'], 'g', 'shapes for contact', () => turn('contact shapes')],
      [['s'], 's', 'shadows', () => turn('shadows')],
      [['x'], 'x', 'see-through', () => turn('see-through')],
      [['r'], 'r', 'the first view', () => { if (this.stage) this.stage.look(); this.show(); }],
      [['Escape'], 'esc', 'pick nothing', () => this.pick(null)],
    ];
    for (const [, label, what] of keys) element('keys').append(make('tr', {}, make('td', {}, label), make('td', {}, what)));
    window.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) &&
        event.target.type !== 'range' && event.target.type !== 'checkbox') return;
      const found = keys.find(([names]) => names.includes(event.key));
      if (!found) return;
      event.preventDefault();
      found[3](event);
    });
  }

  addPointer() {
    if (!this.stage) return;
    const canvas = element('picture');
    let pressed = null;
    canvas.addEventListener('pointerdown', (event) => { pressed = [event.offsetX, event.offsetY]; });
    canvas.addEventListener('click', (event) => {
      if (pressed && Math.hypot(event.offsetX - pressed[0], event.offsetY - pressed[1]) > 4) return; // the view was turned
      this.pick(this.stage.pick(event.offsetX, event.offsetY));
    });
    this.stage.orbit.addEventListener('change', () => this.show());
  }

  // What was picked: { body, shape }, or null.
  pick(what) {
    this.picked = what;
    if (this.marks) this.marks.picked = what ? what.body : -1;
    this.show();
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Showing
  // -------------------------------------------------------------------------------------------------------------------

  rows(moment) {
    const { run, picked } = this;
    if (picked.body < 0) return [];
    const body = run.bodies[picked.body];
    const joint = run.joints[picked.body];
    const centre = this.stage.centreOf(picked.body, new THREE.Vector3());
    const rows = [['mass', `${brief(body.mass)} kg`],
      ['centre of mass', `${centre.toArray().map((x) => x.toFixed(3)).join(', ')} m`]];
    if (run.energies) rows.push(['kinetic energy', `${brief(run.energy(picked.body, moment.frame))} J`]);
    rows.push(['joint', `${joint.name || '(nameless)'}, ${joint.kind}`]);
    run.columns.forEach(({ name, unit }, i) => {
      const [kind, ...rest] = name.split(':');
      const whole = rest.join(':');
      if (whole === joint.name || whole.startsWith(`${joint.name}.`))
        rows.push([`${kind}:${whole}`, `${brief(run.column(i)[moment.frame])} ${unit}`]);
    });
    for (const { pair, force } of run.touching(moment.frame)) {
      const side = pair.bodies.indexOf(picked.body);
      if (side >= 0) rows.push([`force by ${side === 0 ? pair.b : pair.a}`, `${brief(magnitude(force))} N`]);
    }
    return rows;
  }

  showPicked(moment) {
    const { picked } = this;
    element('body').replaceChildren();
    element('label').hidden = !picked;
    if (!picked) return;
    const name = picked.body >= 0 ? this.run.bodies[picked.body].name : picked.shape ? picked.shape.name : 'world';
    const table = make('table', {}, ...this.rows(moment).map((row) =>
      make('tr', {}, ...row.map((text) => make('td', {}, text)))));
    element('body').append(make('h2', {}, 'Picked'), make('strong', {}, name), table);
    element('label').hidden = picked.body < 0;
    if (picked.body < 0) return;
    const at = this.stage.project(this.stage.centreOf(picked.body, new THREE.Vector3()));
    element('label').textContent = name;
    element('label').style.left = `${at.x + 12}px`;
    element('label').style.top = `${at.y - 24}px`;
  }

  show() {
    const { run, player } = this;
    const moment = run.at(player.time);
    element('clock').textContent = `${player.time.toFixed(3)} s of ${brief(run.end)}`;
    element('scrub').value = run.end > run.start ? (player.time - run.start) / (run.end - run.start) : 0;
    element('play').textContent = player.isPlaying ? '❚❚' : '▶';
    element('speed').value = player.speed;
    element('loop').checked = player.loops;
    this.curves.show(player.time);
    if (!this.stage) return;
    this.stage.show(moment);
    this.stage.follow(this.picked ? this.picked.body : -1);
    this.marks.show(moment);
    this.stage.draw();
    this.showPicked(moment);
  }

  resize() {
    if (this.stage) this.stage.resize();
    this.curves.resize();
    this.show();
  }
}

window.sarrus = new Page(new Run(JSON.parse(element('run').textContent)));
if (window.sarrus.run.live) window.sarrus.live = new Live(window.sarrus);
