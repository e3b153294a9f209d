// What bodies look like: shapes as surfaces with edges, and something modest for bodies without any.

import {
  BoxGeometry, BufferGeometry, CylinderGeometry, DoubleSide, EdgesGeometry, Float32BufferAttribute, Group, LineBasicMaterial, LineSegments, Mesh,
  MeshStandardMaterial, RingGeometry, SphereGeometry, Vector3,
} from "three";
import { toCreasedNormals } from "three/addons/utils/BufferGeometryUtils.js";
import type { Shape, Vec3 } from "./scene_data";

export interface BodyMaterials {
  surface: MeshStandardMaterial;
  edge: LineBasicMaterial;
}

export function makeMaterials(): BodyMaterials {
  return {
    // pushed back a little, so that edges are seen in full
    surface: new MeshStandardMaterial({ roughness: 0.6, metalness: 0.05, side: DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 }),
    edge: new LineBasicMaterial({ transparent: true, opacity: 0.55 }),
  };
}

/** Corners of a circle, and of one of very many. */
const around = 48;
const fewAround = 12;

/** A cylinder along z. */
export function zCylinder(radius: number, length: number, segments = around, open = false): CylinderGeometry {
  const geometry = new CylinderGeometry(radius, radius, length, segments, 1, open);
  geometry.rotateX(Math.PI / 2);
  return geometry;
}

interface Parts {
  surfaces: BufferGeometry[];
  /** Pairs of points: edges, and marks that let a turning round thing be seen turning. */
  lines: number[];
}

function partsOf(shape: Shape, around: number): Parts {
  switch (shape.kind) {
    case "box": {
      const box = new BoxGeometry(...shape.size);
      return { surfaces: [box], lines: edgesOf(box) };
    }
    case "cylinder": {
      const { radius, length } = shape;
      const lines = [-0.5, 0.5].flatMap((side) => [...circle(radius, side * length, around), -radius, 0, side * length, radius, 0, side * length]);
      for (const x of [-radius, radius]) lines.push(x, 0, -0.5 * length, x, 0, 0.5 * length);
      return { surfaces: [zCylinder(radius, length, around)], lines };
    }
    case "sphere": {
      const xy = circle(shape.radius * 1.001, 0, around);
      const turn = (order: Vec3) => xy.map((_, i) => xy[i - (i % 3) + order[i % 3]]);
      const sphere = new SphereGeometry(shape.radius, around, around / 2);
      return { surfaces: [sphere], lines: [...xy, ...turn([2, 0, 1]), ...turn([0, 2, 1])] };
    }
    case "tube": {
      const { outer_radius: outer, inner_radius: inner, length } = shape;
      const rings = [-0.5, 0.5].map((side) => new RingGeometry(inner, outer, around).translate(0, 0, side * length));
      const lines = [-0.5, 0.5].flatMap((side) => [
        ...circle(outer, side * length, around), ...circle(inner, side * length, around), inner, 0, side * length, outer, 0, side * length,
      ]);
      lines.push(outer, 0, -0.5 * length, outer, 0, 0.5 * length);
      return { surfaces: [zCylinder(outer, length, around, true), zCylinder(inner, length, around, true), ...rings], lines };
    }
    case "mesh": {
      const mesh = new BufferGeometry();
      mesh.setAttribute("position", new Float32BufferAttribute(shape.points, 3));
      mesh.setIndex(shape.triangles);
      return { surfaces: [toCreasedNormals(mesh, 0.5)], lines: edgesOf(mesh) };
    }
  }
}

function edgesOf(geometry: BufferGeometry): number[] {
  return Array.from(new EdgesGeometry(geometry, 25).getAttribute("position").array);
}

function circle(radius: number, z: number, around: number): number[] {
  const point = (i: number) => [radius * Math.cos((2 * Math.PI * i) / around), radius * Math.sin((2 * Math.PI * i) / around), z];
  return Array.from({ length: around }, (_, i) => [...point(i), ...point(i + 1)]).flat();
}

/** `coarse`: one of very many. */
export function makeShape(shape: Shape, materials: BodyMaterials, coarse = false): Group {
  const group = new Group();
  const { surfaces, lines } = partsOf(shape, coarse ? fewAround : around);
  for (const geometry of surfaces) {
    const mesh = new Mesh(geometry, materials.surface);
    mesh.castShadow = mesh.receiveShadow = true;
    group.add(mesh);
  }
  if (lines.length > 0) {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new Float32BufferAttribute(lines, 3));
    group.add(new LineSegments(geometry, materials.edge));
  }
  group.position.set(...shape.position);
  const [w, x, y, z] = shape.rotation;
  group.quaternion.set(x, y, z, w);
  return group;
}

/** A body without shapes: its centre of mass, and bars from there to its joints. */
export function makeBare(joints: Vec3[], size: number, materials: BodyMaterials): Group {
  const group = new Group();
  const add = (geometry: BufferGeometry) => {
    const mesh = new Mesh(geometry, materials.surface);
    mesh.castShadow = mesh.receiveShadow = true;
    group.add(mesh);
    return mesh;
  };
  add(new SphereGeometry((joints.length > 0 ? 0.012 : 0.02) * size, 24, 12));
  for (const joint of joints) {
    const to = new Vector3(...joint);
    const length = to.length();
    if (length < 1e-6 * size) continue;
    const bar = add(zCylinder(0.006 * size, length, 12));
    bar.position.copy(to).multiplyScalar(0.5);
    bar.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), to.normalize());
  }
  return group;
}
