// Curves of columns over time, a panel for each unit, with a cursor at the present time.

const curveColours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#56b4e9', '#e69f00', '#30343a', '#7a828c'];
const panelHeight = 120;
const margin = { left: 62, right: 18, top: 22, bottom: 16 }; // names stand above the curves
const mostPanels = 3;

// A number of four digits.
function brief(value) {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  return size >= 1e5 || size < 1e-4 ? value.toExponential(2) : String(Number(value.toPrecision(4)));
}

class Curves {
  constructor(run, canvas, seek) {
    this.run = run;
    this.canvas = canvas;
    this.chosen = [];
    const follow = (event) => {
      if (event.buttons !== 1 && event.type !== 'pointerdown') return;
      const box = canvas.getBoundingClientRect();
      const part = (event.clientX - box.left - margin.left) / (box.width - margin.left - margin.right);
      seek(run.start + Math.min(1, Math.max(0, part)) * (run.end - run.start));
    };
    canvas.addEventListener('pointerdown', follow);
    canvas.addEventListener('pointermove', follow);
  }

  choose(columns) {
    this.chosen = columns;
    const units = [...new Set(columns.map((i) => this.run.columns[i].unit))].slice(0, mostPanels);
    this.panels = units.map((unit) => {
      const members = columns.filter((i) => this.run.columns[i].unit === unit);
      let low = Infinity;
      let high = -Infinity;
      for (const i of members)
        for (const value of this.run.column(i)) {
          if (value < low) low = value;
          if (value > high) high = value;
        }
      if (!(high > low)) [low, high] = [low - 1, low + 1];
      return { unit, members, low: low - 0.05 * (high - low), high: high + 0.05 * (high - low) };
    });
    this.canvas.style.height = `${panelHeight * this.panels.length}px`;
    this.resize();
  }

  // The curves themselves go to a picture of their own; the cursor is drawn over it.
  resize() {
    const scale = window.devicePixelRatio;
    this.canvas.width = Math.round(this.canvas.clientWidth * scale);
    this.canvas.height = Math.round(panelHeight * this.panels.length * scale);
    this.drawn = document.createElement('canvas');
    this.drawn.width = this.canvas.width;
    this.drawn.height = this.canvas.height;
    const pen = this.drawn.getContext('2d');
    pen.scale(scale, scale);
    pen.font = '11px system-ui, sans-serif';
    this.panels.forEach((panel, i) => this.drawPanel(pen, panel, i * panelHeight));
  }

  x(time) {
    const width = this.canvas.clientWidth - margin.left - margin.right;
    return margin.left + width * (time - this.run.start) / Math.max(1e-300, this.run.end - this.run.start);
  }

  drawPanel(pen, panel, top) {
    const bottom = top + panelHeight - margin.bottom;
    const y = (value) => bottom - (bottom - top - margin.top) * (value - panel.low) / (panel.high - panel.low);
    pen.strokeStyle = '#e3e6ea';
    pen.fillStyle = '#7a828c';
    pen.textAlign = 'right';
    const step = roundLength((panel.high - panel.low) / 2.5);
    for (let value = Math.ceil(panel.low / step) * step; value <= panel.high; value += step) {
      pen.beginPath();
      pen.moveTo(margin.left, y(value));
      pen.lineTo(this.canvas.clientWidth - margin.right, y(value));
      pen.stroke();
      pen.fillText(brief(Math.abs(value) < 1e-9 * step ? 0 : value), margin.left - 5, y(value) + 4);
    }
    pen.textAlign = 'center';
    const span = this.run.end - this.run.start;
    const beat = span > 0 ? roundLength(span / 5) : 1;
    for (let time = Math.ceil(this.run.start / beat) * beat; time <= this.run.end + 1e-9 * beat; time += beat)
      pen.fillText(brief(time), this.x(time), bottom + 12);
    panel.members.forEach((column, i) => this.drawCurve(pen, column, y, curveColours[i % curveColours.length]));
    this.drawLegend(pen, panel, top);
  }

  drawCurve(pen, column, y, colour) {
    const values = this.run.column(column);
    pen.strokeStyle = colour;
    pen.lineWidth = 1.2;
    pen.beginPath();
    values.forEach((value, i) => pen.lineTo(this.x(this.run.time[i]), y(value)));
    pen.stroke();
    pen.lineWidth = 1;
  }

  drawLegend(pen, panel, top) {
    pen.textAlign = 'left';
    pen.fillStyle = '#7a828c';
    pen.fillText(panel.unit, 4, top + 14);
    let x = margin.left + 6;
    panel.members.forEach((column, i) => {
      const { name } = this.run.columns[column];
      pen.fillStyle = curveColours[i % curveColours.length];
      pen.fillText(name, x, top + 14);
      x += pen.measureText(name).width + 14;
    });
  }

  show(time) {
    if (this.panels.length === 0) return;
    const pen = this.canvas.getContext('2d');
    const scale = window.devicePixelRatio;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    pen.drawImage(this.drawn, 0, 0);
    pen.scale(scale, scale);
    pen.strokeStyle = '#30343a';
    pen.beginPath();
    pen.moveTo(this.x(time), 0);
    pen.lineTo(this.x(time), panelHeight * this.panels.length);
    pen.stroke();
  }
}
