// The picture of a scene: draws bodies, joints, trails and forces at a time, from where the reader looks.

import {
  BufferGeometry, Color, Float32BufferAttribute, Group, Line, LineBasicMaterial, PCFSoftShadowMap, PerspectiveCamera, Scene as ThreeScene, Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { contactOf, forceInWorld, leanOf, magnitudesOf, type ClearanceJoint } from "./clearance_data";
import type { Values } from "./data";
import { wholeOf, type Pose, type Scene, type SceneBody, type Vec3 } from "./scene_data";
import { Arrow, Bar, GlyphMaterial, jointGeometries } from "./scene_glyphs";
import { boundsOf, forceOf, frameInWorld, indexBefore, outlineOf, poseOrGround, sizeOf, toWorld, valueAt, viewFrom, type Box } from "./scene_math";
import { makeBare, makeMaterials, makeShape, type BodyMaterials } from "./scene_shapes";
import { Axes, Grid, makeLights } from "./scene_surroundings";
import { colour, cssColour, modeColour, seriesColour } from "./theme";

/** What channels say about a joint. */
export interface JointChannels {
  /** Force on the second body, in the axes of the world. */
  force: [Values, Values, Values] | null;
  /** 0 stick, 1 slip, 2 open. */
  mode: Values | null;
  /** Of a joint with clearance: what touches in it. */
  worn: ClearanceJoint | null;
}

export interface Layers {
  trails: boolean;
  forces: boolean;
  joints: boolean;
  grid: boolean;
}

/** Nodes of one beam look alike; the ground has no colour of its own. */
interface Look {
  palette: number;
  materials: BodyMaterials;
}
const lookOf = ({ name, kind }: SceneBody): string => (kind === "ground" ? "" : wholeOf(name));

interface Body extends Look {
  root: Group;
  trail: { all: Line; done: Line } | null;
}

interface Joint {
  root: Group;
  material: GlyphMaterial;
  arrow: Arrow | null;
  /** What the surfaces of a joint with clearance do to each other. */
  contact: Arrow | null;
  /** Between the points of a joint that keeps them apart. */
  bar: Bar | null;
  mode: number | null;
}

/** Length of the largest force, as a share of the size of the model, with the slider in the middle. */
const forceShare = 0.22;
/** Peaks are cut at this length, again as a share. */
const peakShare = 0.34;
/** From here on round shapes are drawn with fewer corners. */
const manyBodies = 500;

export const sceneViews = new Set<SceneView>();

export class SceneView {
  readonly box: Box;
  readonly size: number;
  readonly grid: Grid;
  /** Metres of arrow for a newton. */
  readonly forceScale: number;
  forceFactor = 1;
  time = NaN;
  /** Called after each drawing. */
  onDrawn: () => void = () => {};

  private readonly renderer: WebGLRenderer;
  private readonly world = new ThreeScene();
  private readonly camera = new PerspectiveCamera(32, 1.6, 0.01, 100);
  private readonly controls: OrbitControls;
  private readonly axes = new Axes();
  private readonly forceMaterial = new GlyphMaterial();
  private readonly looks = new Map<string, Look>();
  private readonly bodies: Body[];
  private readonly joints: Joint[];
  private layers: Layers = { trails: true, forces: true, joints: true, grid: true };
  private readonly outline: Vector3[];
  private pending = 0;
  private direction: Vec3;
  private touched = false;

  constructor(
    readonly canvas: HTMLCanvasElement,
    context: WebGL2RenderingContext,
    private readonly scene: Scene,
    private readonly samples: number[],
    private readonly channels: JointChannels[],
  ) {
    const outline = outlineOf(scene);
    this.box = boundsOf(outline);
    this.outline = (outline.length > 1 ? outline : [this.box.min, this.box.max]).map((p) => new Vector3(...p));
    this.size = sizeOf(this.box);
    this.direction = viewFrom(this.box);
    // kept after drawing, so that the picture can be printed and saved
    this.renderer = new WebGLRenderer({ canvas, context, antialias: true, preserveDrawingBuffer: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFSoftShadowMap;

    const magnitudes = channels.flatMap(({ force }) => (force ? samples.map((_, i) => Math.hypot(...force.map((f) => f[i] ?? 0))) : []));
    const contacts = channels.flatMap(({ worn }) => (worn ? magnitudesOf(worn, samples.length) : []));
    const largest = forceOf([...magnitudes, ...contacts]);
    this.forceScale = largest > 0 ? (forceShare * this.size) / largest : 0;

    this.grid = new Grid(this.box);
    this.world.add(this.grid.root, makeLights(this.box));
    let colours = 0;
    for (const body of scene.bodies) {
      if (!this.looks.has(lookOf(body))) this.looks.set(lookOf(body), { palette: body.kind === "ground" ? -1 : colours++, materials: makeMaterials() });
    }
    this.bodies = scene.bodies.map((_, b) => this.makeBody(b));
    this.joints = scene.joints.map((joint, j) => this.makeJoint(joint.type, channels[j]));

    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.15;
    this.controls.zoomToCursor = true;
    // the wheel scrolls the page until the reader has turned to the picture
    this.controls.enableZoom = false;
    canvas.addEventListener("focus", () => (this.controls.enableZoom = true));
    canvas.addEventListener("blur", () => (this.controls.enableZoom = false));
    canvas.addEventListener("pointerdown", () => canvas.focus({ preventScroll: true }));
    this.controls.addEventListener("start", () => (this.touched = true));
    this.controls.addEventListener("change", () => this.invalidate());
    canvas.addEventListener("webglcontextrestored", () => this.invalidate());
    this.setColours();
    this.setTime(scene.t[0] ?? 0);
    sceneViews.add(this);
  }

  private makeBody(b: number): Body {
    const body = this.scene.bodies[b];
    const { palette, materials } = this.looks.get(lookOf(body)) as Look;
    const root = new Group();
    for (const shape of body.shapes) root.add(makeShape(shape, materials, this.scene.bodies.length > manyBodies));
    if (body.shapes.length === 0 && body.kind !== "ground") {
      const joints = this.scene.joints.flatMap((j) => j.bodies.flatMap((at, side) => (at === b ? [j.frames[side].slice(0, 3) as Vec3] : [])));
      root.add(makeBare(joints, this.size, materials));
    }
    this.world.add(root);
    return { root, materials, trail: this.makeTrail(b), palette };
  }

  private makeTrail(b: number): Body["trail"] {
    const poses = this.scene.poses[b];
    if (!poses) return null;
    const points: number[] = [];
    // a missing place stays where the last one was
    for (let i = 0; i < poses.length; i += 7) {
      for (let k = 0; k < 3; k++) points.push(Number.isNaN(poses[i + k]) ? (points[points.length - 3] ?? 0) : poses[i + k]);
    }
    const line = (opacity: number) => {
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", new Float32BufferAttribute(points, 3));
      const made = new Line(geometry, new LineBasicMaterial({ transparent: true, opacity }));
      made.frustumCulled = false;
      this.world.add(made);
      return made;
    };
    return { all: line(0.3), done: line(1) };
  }

  private makeJoint(type: string, { force, worn }: JointChannels): Joint {
    const material = new GlyphMaterial();
    const root = new Group();
    for (const geometry of jointGeometries(type)) root.add(material.mesh(geometry));
    root.scale.setScalar(0.013 * this.size);
    this.world.add(root);
    const [arrow, contact] = [force, worn].map((given) => (given ? new Arrow(this.forceMaterial, this.size) : null));
    for (const made of [arrow, contact]) if (made) this.world.add(made.root);
    const bar = type === "distance" ? new Bar(material, 0.004 * this.size) : null;
    if (bar) this.world.add(bar.root);
    return { root, material, arrow, contact, bar, mode: null };
  }

  /** Colours of the page, in light and dark. */
  setColours(): void {
    const background = new Color(colour("surface"));
    const dark = background.getHSL({ h: 0, s: 0, l: 0 }).l < 0.5;
    this.renderer.setClearColor(background, 1);
    this.grid.setColours(cssColour("--line"), cssColour("--open"));
    this.forceMaterial.setColour(cssColour("--series-5"));
    this.bodies.forEach(({ materials, trail, palette }, b) => {
      const ground = this.scene.bodies[b].kind === "ground";
      const base = new Color(ground ? cssColour("--open") : seriesColour(palette));
      // on white, surfaces are paler than lines of plots: they are large
      materials.surface.color.copy(base).lerp(new Color(0xffffff), dark ? 0 : ground ? 0.3 : 0.25);
      materials.edge.color.copy(base).multiplyScalar(0.42);
      for (const line of trail ? [trail.all, trail.done] : []) (line.material as LineBasicMaterial).color.copy(base);
    });
    this.joints.forEach((joint) => this.paintJoint(joint));
    this.invalidate();
  }

  private paintJoint({ material, mode }: Joint): void {
    material.setColour(mode === null ? cssColour("--muted") : modeColour(mode));
  }

  setLayers(layers: Layers): void {
    this.layers = layers;
    this.setTime(this.time);
  }

  setForceFactor(factor: number): void {
    this.forceFactor = factor;
    this.setTime(this.time);
  }

  setTime(t: number): void {
    this.time = t;
    const poses = this.scene.bodies.map((_, b) => poseOrGround(this.scene, b, t));
    const done = indexBefore(this.scene.t, t) + 1;
    this.bodies.forEach(({ root, trail }, b) => {
      place(root, poses[b]);
      if (!trail) return;
      trail.all.visible = trail.done.visible = this.layers.trails;
      trail.done.geometry.setDrawRange(0, done);
    });
    this.joints.forEach((joint, j) => this.showJoint(joint, j, poses));
    this.grid.root.visible = this.layers.grid;
    this.invalidate();
  }

  private showJoint(joint: Joint, j: number, poses: (Pose | null)[]): void {
    const { bodies, frames } = this.scene.joints[j];
    const [a, b] = bodies.map((body) => poses[body]);
    place(joint.root, a && frameInWorld(a, frames[0]));
    joint.root.visible &&= this.layers.joints;
    const shown = this.layers.joints && a && b;
    joint.bar?.set(shown ? toWorld(a, frames[0]) : null, shown ? toWorld(b, frames[1]) : null);
    const { force, mode, worn } = this.channels[j];
    const scale = this.forceScale * this.forceFactor;
    const most = peakShare * this.size * this.forceFactor;
    if (joint.arrow && force) {
      const vector = force.map((values) => valueAt(this.samples, values, this.time));
      const known = this.layers.forces && b && !vector.includes(null);
      joint.arrow.set(known ? toWorld(b, frames[1]) : null, known ? (vector.map((f) => (f as number) * scale) as Vec3) : null, most);
    }
    if (joint.contact && worn) {
      const touching = this.layers.forces && a && b ? contactOf(worn, (values) => valueAt(this.samples, values, this.time), () => leanOf(this.scene, worn.joint, this.time)) : null;
      const vector = a && touching?.force ? forceInWorld(a, worn.joint, touching.force) : null;
      joint.contact.set(vector && b ? toWorld(b, frames[1]) : null, vector && (vector.map((f) => f * scale) as Vec3), most);
    }
    // a mode holds until the next sample
    const now = mode ? mode[indexBefore(this.samples, this.time)] : null;
    if (now === joint.mode) return;
    joint.mode = now;
    this.paintJoint(joint);
  }

  /** Looks at the whole model, from its best side or from a given one. */
  look(from: Vec3 = viewFrom(this.box)): void {
    this.direction = from;
    this.touched = false;
    this.fit();
  }

  // as near as the outline stays in view, and in the middle
  private fit(): void {
    const away = new Vector3(...this.direction).normalize();
    const centre = new Vector3(...(this.box.min.map((low, k) => (low + this.box.max[k]) / 2) as Vec3));
    const right = new Vector3().crossVectors(this.camera.up, away).normalize();
    if (right.lengthSq() < 0.5) right.set(1, 0, 0);
    const above = new Vector3().crossVectors(away, right);
    const tall = Math.tan((this.camera.fov * Math.PI) / 360) * 0.88;
    for (const side of [right, above]) {
      const along = this.outline.map((p) => p.dot(side));
      let [low, high] = [Infinity, -Infinity];
      for (const x of along) [low, high] = [Math.min(low, x), Math.max(high, x)];
      centre.addScaledVector(side, (low + high) / 2 - centre.dot(side));
    }
    let distance = 0.2 * this.size;
    for (const point of this.outline) {
      const p = point.clone().sub(centre);
      const depth = p.dot(away);
      distance = Math.max(distance, depth + Math.abs(p.dot(right)) / (tall * this.camera.aspect), depth + Math.abs(p.dot(above)) / tall);
    }
    this.camera.position.copy(centre).addScaledVector(away, distance);
    this.camera.near = 0.01 * this.size;
    this.camera.far = 60 * this.size;
    this.controls.target.copy(centre);
    this.controls.minDistance = 0.03 * this.size;
    this.controls.maxDistance = 20 * this.size;
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.invalidate();
  }

  resize(width: number, height: number): void {
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    // a view that the reader has chosen stays
    if (!this.touched) this.fit();
    // a canvas that changes its size is blank until it is drawn on
    this.draw();
  }

  invalidate(): void {
    if (this.pending === 0) this.pending = requestAnimationFrame(() => this.draw());
  }

  private draw(): void {
    cancelAnimationFrame(this.pending);
    this.pending = 0;
    this.controls.update(); // asks for another drawing while the view still glides
    const { width, height } = this.renderer.domElement;
    const ratio = this.renderer.getPixelRatio();
    this.renderer.setViewport(0, 0, width / ratio, height / ratio);
    this.renderer.render(this.world, this.camera);
    this.axes.draw(this.renderer, this.camera.quaternion);
    this.onDrawn();
  }

  /** Place in the picture [px]; null behind the reader. */
  project(p: Vec3): [number, number] | null {
    const v = new Vector3(...p).project(this.camera);
    if (v.z > 1) return null;
    return [(0.5 + 0.5 * v.x) * this.canvas.clientWidth, (0.5 - 0.5 * v.y) * this.canvas.clientHeight];
  }

  /** Where bodies and joints are now. */
  state(): { bodies: Record<string, Vec3>; arrows: Record<string, number>; contacts: Record<string, number>; modes: Record<string, number | null> } {
    const named = <T, U>(things: { name: string }[], own: T[], value: (x: T) => U) => Object.fromEntries(things.map(({ name }, i) => [name, value(own[i])]));
    return {
      bodies: named(this.scene.bodies, this.bodies, ({ root }) => root.position.toArray() as Vec3),
      arrows: named(this.scene.joints, this.joints, ({ arrow }) => (arrow?.root.visible ? arrow.length : 0)),
      contacts: named(this.scene.joints, this.joints, ({ contact }) => (contact?.root.visible ? contact.length : 0)),
      modes: named(this.scene.joints, this.joints, ({ mode }) => mode),
    };
  }

  jointPlaces(): (Vec3 | null)[] {
    return this.joints.map(({ root }) => (root.visible ? (root.position.toArray() as Vec3) : null));
  }

  bodyPlaces(): (Vec3 | null)[] {
    return this.bodies.map(({ root }) => (root.visible ? (root.position.toArray() as Vec3) : null));
  }
}

function place(group: Group, pose: Pose | null): void {
  group.visible = pose !== null;
  if (!pose) return;
  const [x, y, z, w, a, b, c] = pose;
  group.position.set(x, y, z);
  group.quaternion.set(a, b, c, w);
}
