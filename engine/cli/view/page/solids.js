// The geometry of shapes, in their own frames: the axis of round ones is z.

function alongZ(geometry) {
  return geometry.rotateX(Math.PI / 2);
}

// A surface over two parameters in [0, 1], as a grid of points.
function patch(columns, rows, at) {
  const points = [];
  const corners = [];
  for (let row = 0; row <= rows; row++)
    for (let column = 0; column <= columns; column++) points.push(...at(column / columns, row / rows));
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const a = row * (columns + 1) + column;
      const b = a + columns + 1;
      corners.push(a, a + 1, b + 1, a, b + 1, b);
    }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(points, 3));
  geometry.setIndex(corners);
  geometry.computeVertexNormals();
  return geometry;
}

function capsule(radius, length) {
  const profile = [];
  for (let i = 0; i <= 24; i++) {
    const angle = (i / 24 - 0.5) * Math.PI;
    profile.push(new THREE.Vector2(radius * Math.cos(angle), radius * Math.sin(angle) + (i < 12 ? -1 : 1) * length / 2));
    if (i === 12) profile.splice(-1, 0, new THREE.Vector2(radius, -length / 2));
  }
  return alongZ(new THREE.LatheGeometry(profile, 32));
}

// ((x/a)^p + (y/b)^p)^(q/p) + (z/c)^q = 1
function superellipsoid([a, b, c], [p, q]) {
  const power = (x, exponent) => Math.sign(x) * Math.abs(x) ** exponent;
  return patch(64, 32, (u, w) => {
    const around = 2 * Math.PI * u;
    const up = (w - 0.5) * Math.PI;
    const across = power(Math.cos(up), 2 / q);
    return [a * across * power(Math.cos(around), 2 / p), b * across * power(Math.sin(around), 2 / p),
      c * power(Math.sin(up), 2 / q)];
  });
}

// z = -x^2 / 2r - y^2 / 2s down to z = -h, and the base there.
function paraboloid([r, s, h]) {
  return patch(48, 24, (u, w) => {
    const around = 2 * Math.PI * u;
    const out = w < 0.5 ? 2 * w : 2 - 2 * w;
    return [Math.sqrt(2 * r * h) * out * Math.cos(around), Math.sqrt(2 * s * h) * out * Math.sin(around),
      w < 0.5 ? -h * out * out : -h];
  });
}

function triangles(shape) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(decode(shape.points, Float32Array), 3));
  geometry.setIndex(new THREE.BufferAttribute(decode(shape.triangles, Uint32Array), 1));
  geometry.computeVertexNormals();
  return geometry;
}

// null for a half-space, which has no bounds.
function geometryOf(shape) {
  const [a, b, c] = shape.size;
  switch (shape.kind) {
    case 'sphere': return new THREE.SphereBufferGeometry(a, 40, 24);
    case 'box': return new THREE.BoxBufferGeometry(a, b, c);
    case 'cylinder': return alongZ(new THREE.CylinderBufferGeometry(a, a, b, 40));
    case 'capsule': return capsule(a, b);
    case 'cone': return alongZ(new THREE.ConeBufferGeometry(a, b, 40));
    case 'ellipsoid': return new THREE.SphereBufferGeometry(1, 40, 24).scale(a, b, c);
    case 'superellipsoid': return superellipsoid(shape.size, shape.exponent);
    case 'paraboloid': return paraboloid(shape.size);
    case 'triangles': return triangles(shape);
    default: return null;
  }
}

const isFaceted = (shape) => shape.kind === 'triangles';
