// The run: its model, its frames over time, its columns. Arrays come as base64 of little-endian numbers.

function decode(text, Type) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  return new Type(bytes.buffer);
}

class Run {
  constructor(json) {
    Object.assign(this, json);
    this.time = decode(json.time, Float64Array);
    this.positions = decode(json.positions, Float32Array);
    this.rotations = decode(json.rotations, Int16Array);
    this.energies = json.energies ? decode(json.energies, Float32Array) : null;
    this.values = decode(json.values, Float32Array);
    this.contactEnds = decode(json.contact_ends, Int32Array);
    this.contactPair = decode(json.contact_pair, Int32Array);
    this.contacts = decode(json.contacts, Float32Array);
    this.cones = json.cones ? decode(json.cones, Float32Array) : null;
    this.start = this.time[0];
    this.end = this.time[this.time.length - 1];
    this.next = new THREE.Quaternion();
  }

  // The frame at or before a time, and how far the time is on the way to the next one, 0 to 1.
  at(time) {
    let low = 0;
    let high = this.time.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.time[middle] <= time) low = middle;
      else high = middle;
    }
    if (time >= this.time[high]) return { frame: high, part: 0 };
    const span = this.time[high] - this.time[low];
    return { frame: low, part: span > 0 ? Math.max(0, (time - this.time[low]) / span) : 0 };
  }

  position(body, frame, out) {
    return out.fromArray(this.positions, 3 * (frame * this.bodies.length + body));
  }

  rotation(body, frame, out) {
    return out.fromArray(this.rotations, 4 * (frame * this.bodies.length + body)).normalize();
  }

  // Where a body is between two frames.
  place(body, { frame, part }, object) {
    this.position(body, frame, object.position);
    this.rotation(body, frame, object.quaternion);
    if (part === 0) return;
    const a = object.position;
    const b = 3 * ((frame + 1) * this.bodies.length + body);
    a.set(a.x + part * (this.positions[b] - a.x), a.y + part * (this.positions[b + 1] - a.y),
      a.z + part * (this.positions[b + 2] - a.z));
    object.quaternion.slerp(this.rotation(body, frame + 1, this.next), part);
  }

  // Contacts of a frame: { pair, point: [x, y, z], force: [x, y, z] on pair.a,
  // cone: [normal towards pair.a, friction] or null }.
  touching(frame) {
    const found = [];
    for (let i = frame > 0 ? this.contactEnds[frame - 1] : 0; i < this.contactEnds[frame]; i++) {
      found.push({
        pair: this.pairs[this.contactPair[i]],
        point: this.contacts.subarray(6 * i, 6 * i + 3),
        force: this.contacts.subarray(6 * i + 3, 6 * i + 6),
        cone: this.cones ? this.cones.subarray(4 * i, 4 * i + 4) : null,
      });
    }
    return found;
  }

  column(i) {
    return this.values.subarray(i * this.time.length, (i + 1) * this.time.length);
  }

  energy(body, frame) {
    return this.energies ? this.energies[frame * this.bodies.length + body] : 0;
  }
}
