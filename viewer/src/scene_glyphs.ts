// Signs for joints and forces. They are seen faintly through the bodies in front of them.

import {
  BoxGeometry, BufferGeometry, ConeGeometry, GreaterDepth, Group, Mesh, MeshStandardMaterial, OctahedronGeometry, Quaternion, SphereGeometry, TorusGeometry,
  Vector3,
} from "three";
import type { Vec3 } from "./scene_data";
import { zCylinder } from "./scene_shapes";

const up = new Vector3(0, 0, 1);

export class GlyphMaterial {
  readonly front = new MeshStandardMaterial({ roughness: 0.5, metalness: 0 });
  readonly behind = new MeshStandardMaterial({ roughness: 0.5, transparent: true, opacity: 0.28, depthFunc: GreaterDepth, depthWrite: false });

  setColour(colour: string): void {
    for (const material of [this.front, this.behind]) {
      material.color.set(colour);
      material.emissive.set(colour).multiplyScalar(0.25);
    }
  }

  mesh(geometry: BufferGeometry): Group {
    const group = new Group();
    const behind = new Mesh(geometry, this.behind);
    behind.renderOrder = 2;
    group.add(new Mesh(geometry, this.front), behind);
    return group;
  }
}

const signs: Record<string, () => BufferGeometry[]> = {
  fixed: () => [new BoxGeometry(1.3, 1.3, 1.3)],
  revolute: () => [zCylinder(0.8, 1.6, 32)],
  prismatic: () => [new BoxGeometry(1.1, 1.1, 3.2)],
  cylindrical: () => [zCylinder(0.6, 3.2, 32)],
  screw: () => [zCylinder(0.5, 3.2, 32), ...[-0.9, -0.3, 0.3, 0.9].map((z) => new TorusGeometry(0.55, 0.14, 10, 32).translate(0, 0, z))],
  universal: () => [zCylinder(0.35, 2.4, 24), zCylinder(0.35, 2.4, 24).rotateX(Math.PI / 2)],
  constant_velocity: () => [new SphereGeometry(0.8, 32, 16), zCylinder(0.35, 2.8, 24)],
  spherical: () => [new SphereGeometry(0.95, 32, 16)],
  planar: () => [new BoxGeometry(2.6, 2.6, 0.35)],
  point_on_line: () => [zCylinder(0.22, 4.5, 16), new SphereGeometry(0.6, 24, 12)],
  point_in_plane: () => [new BoxGeometry(2.6, 2.6, 0.15), new SphereGeometry(0.6, 24, 12)],
  distance: () => [new SphereGeometry(0.6, 24, 12)],
};

/** Sign of a joint of a type, of about unit size; the axis is z. */
export function jointGeometries(type: string): BufferGeometry[] {
  return signs[type]?.() ?? [new OctahedronGeometry(1.1)];
}

/** A bar between two points. */
export class Bar {
  readonly root: Group;

  constructor(material: GlyphMaterial, private readonly radius: number) {
    this.root = material.mesh(zCylinder(1, 1, 12).translate(0, 0, 0.5));
  }

  set(from: Vec3 | null, to: Vec3 | null): void {
    const vector = new Vector3(...(to ?? [0, 0, 0])).sub(new Vector3(...(from ?? [0, 0, 0])));
    const length = from && to ? vector.length() : 0;
    this.root.visible = length > 0;
    if (!this.root.visible || !from) return;
    this.root.position.set(...from);
    this.root.quaternion.setFromUnitVectors(up, vector.normalize());
    this.root.scale.set(this.radius, this.radius, length);
  }
}

/** An arrow from a point along a vector. */
export class Arrow {
  readonly root = new Group();
  private readonly shaft: Group;
  private readonly heads: Group[];
  length = 0;

  constructor(material: GlyphMaterial, private readonly size: number) {
    this.shaft = material.mesh(zCylinder(0.004, 1, 12).translate(0, 0, 0.5));
    this.heads = [0, 1].map(() => material.mesh(new ConeGeometry(0.0125, 0.042, 20).rotateX(Math.PI / 2).translate(0, 0, -0.021)));
    this.root.add(this.shaft, ...this.heads);
  }

  /** Without a vector, or with one too short to be seen, there is no arrow; one longer than `most` is cut and gets a second head. */
  set(at: Vec3 | null, along: Vec3 | null, most: number): void {
    const vector = new Vector3(...(along ?? [0, 0, 0]));
    const cut = vector.length() > most;
    this.length = at ? Math.min(vector.length(), most) : 0;
    this.root.visible = this.length > 1e-3 * this.size;
    if (!this.root.visible || !at) return;
    this.root.position.set(...at);
    this.root.quaternion.copy(new Quaternion().setFromUnitVectors(up, vector.normalize()));
    // a short arrow has a small head
    const head = Math.min(this.size, this.length / 0.09);
    this.heads.forEach((mesh, k) => {
      mesh.scale.setScalar(head);
      mesh.position.z = this.length - 0.034 * k * head;
      mesh.visible = k === 0 || cut;
    });
    this.shaft.scale.set(head, head, Math.max(1e-9, this.length - 0.038 * head));
  }
}
