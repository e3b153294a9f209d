// What a scene stands in: ground grid, light, and the axes in the corner.

import {
  AmbientLight, BufferGeometry, CanvasTexture, Color, ConeGeometry, DirectionalLight, Float32BufferAttribute, Group, HemisphereLight, LineBasicMaterial,
  LineSegments, Mesh, MeshBasicMaterial, OrthographicCamera, PlaneGeometry, Quaternion, Scene as ThreeScene, ShadowMaterial, Sprite, SpriteMaterial, SRGBColorSpace,
  Vector3, type WebGLRenderer,
} from "three";
import type { Vec3 } from "./scene_data";
import { gridStep, sizeOf, type Box } from "./scene_math";
import { zCylinder } from "./scene_shapes";

/** Horizontal lines under the model, at round distances. */
export class Grid {
  readonly root = new Group();
  readonly step: number;
  private readonly lines = new LineBasicMaterial();
  private readonly main = new LineBasicMaterial();
  private readonly shade = new ShadowMaterial({ opacity: 0.16, depthWrite: false });

  constructor(box: Box) {
    const size = sizeOf(box);
    this.step = gridStep(size);
    const air = 0.45 * size;
    const [from, to] = [0, 1].map((k) => [
      Math.floor((box.min[k] - air) / this.step), Math.ceil((box.max[k] + air) / this.step),
    ]).reduce<[number[], number[]]>(([a, b], [low, high]) => [[...a, low], [...b, high]], [[], []]);
    const minor: number[] = [];
    const major: number[] = [];
    for (const k of [0, 1]) {
      for (let i = from[k]; i <= to[k]; i++) {
        const ends = [from[1 - k], to[1 - k]].flatMap((end) => (k === 0 ? [i, end, 0] : [end, i, 0]));
        (i === 0 ? major : minor).push(...ends.map((x) => x * this.step));
      }
    }
    for (const [points, material] of [[minor, this.lines], [major, this.main]] as const) {
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", new Float32BufferAttribute(points, 3));
      this.root.add(new LineSegments(geometry, material));
    }
    const floor = new Mesh(new PlaneGeometry((to[0] - from[0]) * this.step, (to[1] - from[1]) * this.step), this.shade);
    floor.position.set((from[0] + to[0]) * 0.5 * this.step, (from[1] + to[1]) * 0.5 * this.step, 0);
    floor.receiveShadow = true;
    this.root.add(floor);
    // a flat model would lie in the lines
    const flat = box.max[2] - box.min[2] < 0.03 * size;
    this.root.position.z = box.min[2] - (flat ? 0.03 : 1e-3) * size;
  }

  setColours(lines: string, main: string): void {
    this.lines.color.set(lines);
    this.main.color.set(main);
  }
}

/** Light from the sky and the ground, and a sun that throws shadows. */
export function makeLights(box: Box): Group {
  const group = new Group();
  const size = sizeOf(box);
  const centre = new Vector3(...(box.min.map((low, k) => (low + box.max[k]) / 2) as Vec3));
  const sky = new HemisphereLight(0xffffff, 0xa8adb6, 1.9);
  sky.position.set(0, 0, 1);
  const sun = new DirectionalLight(0xffffff, 2.1);
  sun.position.copy(centre).add(new Vector3(-0.5, -0.9, 1.7).multiplyScalar(size));
  sun.target.position.copy(centre);
  sun.castShadow = true;
  sun.shadow.mapSize.set(2048, 2048);
  sun.shadow.radius = 5;
  sun.shadow.bias = -2e-4;
  sun.shadow.normalBias = 2e-3 * size;
  const camera = sun.shadow.camera;
  camera.left = camera.bottom = -0.8 * size;
  camera.right = camera.top = 0.8 * size;
  camera.near = 0.2 * size;
  camera.far = 4 * size;
  group.add(sky, new AmbientLight(0xffffff, 0.35), sun, sun.target);
  return group;
}

/** Directions of the world in the corner of the picture. */
export class Axes {
  private readonly scene = new ThreeScene();
  private readonly camera = new OrthographicCamera(-1.65, 1.65, 1.65, -1.65, 0.1, 10);

  constructor() {
    const colours = ["#d0443e", "#3d9950", "#3f78d0"];
    colours.forEach((colour, k) => {
      const material = new MeshBasicMaterial({ color: new Color(colour) });
      const arm = new Group();
      arm.add(new Mesh(zCylinder(0.05, 0.8, 12).translate(0, 0, 0.4), material));
      arm.add(new Mesh(new ConeGeometry(0.13, 0.3, 16).rotateX(Math.PI / 2).translate(0, 0, 0.9), material));
      const direction = new Vector3().setComponent(k, 1);
      arm.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), direction);
      const letter = new Sprite(new SpriteMaterial({ map: letterTexture("xyz"[k], colour) }));
      letter.scale.setScalar(0.72);
      letter.position.copy(direction).multiplyScalar(1.32);
      this.scene.add(arm, letter);
    });
  }

  draw(renderer: WebGLRenderer, view: Quaternion): void {
    const side = 92;
    this.camera.quaternion.copy(view);
    this.camera.position.set(0, 0, 5).applyQuaternion(view);
    renderer.autoClear = false;
    renderer.clearDepth();
    renderer.setViewport(4, 4, side, side);
    renderer.render(this.scene, this.camera);
    renderer.autoClear = true;
  }
}

function letterTexture(letter: string, colour: string): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 64;
  const context = canvas.getContext("2d") as CanvasRenderingContext2D;
  context.font = "bold 44px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillStyle = colour;
  context.fillText(letter, 32, 32);
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  return texture;
}
