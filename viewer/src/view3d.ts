// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The three-dimensional view: camera, light, ground, layers, picking.
import {
    Box3,
    Box3Helper,
    type BufferGeometry,
    CanvasTexture,
    Color,
    CylinderGeometry,
    DirectionalLight,
    HemisphereLight,
    Matrix4,
    Mesh,
    MeshBasicMaterial,
    type Object3D,
    PCFShadowMap,
    PerspectiveCamera,
    Plane,
    Quaternion,
    Ray,
    Raycaster,
    Scene,
    SphereGeometry,
    Sprite,
    SpriteMaterial,
    SRGBColorSpace,
    Vector2,
    Vector3,
    WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Ambient, OVER } from "./ambient";
import { Backdrop } from "./backdrop";
import { across, fitDistance, goodDirection } from "./camera";
import type { Colouring } from "./colouring";
import type { Fields } from "./fields";
import { Ground } from "./ground";
import { ArrowLayer } from "./layers/arrows";
import { BodyLayer, meshGeometry } from "./layers/bodies";
import { ContactLayer } from "./layers/contacts";
import { FrameLayer } from "./layers/frames";
import { JointLayer } from "./layers/joints";
import { type Hit, type Layer, Visibility } from "./layers/layer";
import { type SkinCorners, SkinLayer } from "./layers/skins";
import { SphereLayer } from "./layers/spheres";
import { SpringLayer } from "./layers/springs";
import { TrailLayer } from "./layers/trail";
import { groupOffsets, type Manifest, type Shape } from "./manifest";
import type { Pose } from "./pose";
import type { Table } from "./series";
import type { SkinStore } from "./skins";
import type { Source } from "./source";
import type { FrameStore } from "./store";
import { scenery } from "./surface";
import { Triad } from "./triad";

export interface MeshData {
    vertices: Float32Array;
    triangles: Uint32Array;
}

export type Toggle = "grid" | "shadows" | "joints" | "springs" | "forces" | "contacts" | "frames" | "trail";

const DIRECTIONS: Record<string, [number, number, number]> = {
    front: [0, -1, 0],
    right: [1, 0, 0],
    top: [0, 0, 1],
    back: [0, 1, 0],
    left: [-1, 0, 0],
    bottom: [0, 0, -1],
    corner: [0.62, -1, 0.55],
};

/** The name of the graphics hardware, or null where there is no WebGL 2. */
export function webgl(): string | null {
    try {
        const gl = document.createElement("canvas").getContext("webgl2");
        if (!gl) return null;
        const info = gl.getExtension("WEBGL_debug_renderer_info");
        const name = String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
        gl.getExtension("WEBGL_lose_context")?.loseContext();
        return name;
    } catch {
        return null;
    }
}

export class View3D {
    readonly triad = new Triad();
    readonly visibility: Visibility;
    readonly camera: PerspectiveCamera;
    readonly controls: OrbitControls;
    readonly arrows: ArrowLayer;
    readonly contacts: ContactLayer;
    readonly skins: SkinLayer;
    readonly software: boolean;
    size = 1; // diagonal of what moves
    selected: number | null = null;
    following: number | null = null;
    dirty = true;
    onmoved = () => {}; // the camera or the grid's scale
    private renderer: WebGLRenderer;
    private scene = new Scene();
    private sun = new DirectionalLight("#fffaf2", 1.9);
    private fill = new DirectionalLight("#ffffff", 0.8); // from the eye, so that nothing is quite dark
    private sky = new HemisphereLight("#ffffff", "#ffffff", 1);
    private ground: Ground;
    private backdrop = new Backdrop();
    private layers: Layer[] = [];
    private bodies: BodyLayer;
    private spheres: SphereLayer[] = [];
    private guests: SphereLayer[] = []; // of another run
    private frames: FrameLayer;
    private joints: JointLayer;
    private springs: SpringLayer;
    private trail: TrailLayer;
    private box = new Box3(); // what moves, over all moments looked at
    private still = new Box3();
    private ring = marker(); // around a chosen thing that is no body
    cut: { axis: number; share: number; flip: boolean } | null = null;
    private spot: ((pose: Pose, out: Vector3) => Vector3 | null) | null = null;
    private outline = new Box3Helper(new Box3(), new Color("#ffb000"));
    private band: Mesh<BufferGeometry, MeshBasicMaterial>;
    private bandEnd: Mesh;
    private followed = new Vector3();
    private glide: { from: [Vector3, Vector3]; to: [Vector3, Vector3]; start: number } | null = null;
    private colouring: Colouring | null = null;
    private up: Vector3;
    private cost = 16; // milliseconds between pictures, smoothed
    private last = 0;
    private ratio = 1;
    private ambient: Ambient | null = null; // made when first wanted
    /** Ambient occlusion: always, never, or as the graphics allow: in software only when all is at rest. */
    ambience: "on" | "off" | "auto" = "auto";
    private rested = true; // the picture at rest is drawn
    private moved = 0; // when the last picture was drawn
    private touched = false;
    private fixed: [number, number] | null = null; // size of pictures for a film

    constructor(
        private host: HTMLElement,
        private m: Manifest,
        tables: Table[],
        private pose: Pose,
        store: FrameStore,
        source: Source,
        meshes: MeshData[],
        radii: (Float32Array | null)[],
        hardware: string,
        skins: { store: SkinStore; fields: Fields; corners: SkinCorners[] },
    ) {
        this.software = /swiftshader|llvmpipe|software|basic render/i.test(hardware);
        this.up = new Vector3(...m.up).normalize();
        this.visibility = new Visibility(m);
        // A context of our own, as three's always has alpha: soft edges of spheres write one that must not reach the page.
        const canvas = document.createElement("canvas");
        const antialias = !this.software || m.frames.movers < 5000;
        const context = canvas.getContext("webgl2", { alpha: false, antialias, powerPreference: "high-performance" });
        if (!context) throw new Error("WebGL 2 gave no context");
        this.renderer = new WebGLRenderer({ canvas, context, antialias });
        this.ratio = this.software ? 1 : Math.min(window.devicePixelRatio || 1, 2);
        this.renderer.setPixelRatio(this.ratio);
        this.renderer.shadowMap.enabled = true;
        this.renderer.shadowMap.type = PCFShadowMap;
        this.renderer.shadowMap.autoUpdate = false;
        this.renderer.localClippingEnabled = true;
        host.prepend(this.renderer.domElement);

        this.camera = new PerspectiveCamera(38, 1, 0.01, 100);
        this.camera.up.copy(this.up);
        this.controls = new OrbitControls(this.camera, this.renderer.domElement);
        this.controls.enableDamping = true;
        this.controls.dampingFactor = 0.18;
        this.controls.zoomToCursor = true;
        this.controls.addEventListener("change", () => (this.dirty = true));
        this.controls.addEventListener("start", () => {
            this.glide = null;
            this.touched = true;
        });

        this.ground = new Ground(this.up);
        this.sun.castShadow = true;
        this.sun.shadow.mapSize.setScalar(this.software ? 1024 : 2048);
        this.sun.shadow.radius = 2.5;
        this.scene.add(
            this.sun,
            this.sun.target,
            this.fill,
            this.fill.target,
            this.sky,
            this.ground.object,
            this.backdrop.object,
            this.outline,
            this.ring,
        );

        const add = <T extends Layer>(layer: T): T => {
            this.layers.push(layer);
            this.scene.add(layer.object);
            return layer;
        };
        this.bodies = add(
            new BodyLayer(
                m,
                meshes.map((x) => meshGeometry(x.vertices, x.triangles)),
                (s, b) => this.isGround(s, b),
            ),
        );
        const offsets = groupOffsets(m),
            o = m.frames.origin;
        const upOffset = o[0] * this.up.x + o[1] * this.up.y + o[2] * this.up.z;
        m.particles.forEach((p, g) => {
            if (p.shape.type === "sphere")
                this.spheres.push(add(new SphereLayer(p, g, offsets[g], radii[g], this.up, upOffset, this.sun)));
        });
        this.skins = add(
            new SkinLayer(m.skins?.meshes ?? [], skins.corners, skins.store, skins.fields),
        );
        skins.store.onload = () => this.update();
        skins.fields.onload = () => this.update();
        this.joints = add(new JointLayer(m, this.bodies.own));
        this.springs = add(new SpringLayer(m));
        this.frames = add(new FrameLayer(m));
        this.arrows = add(new ArrowLayer(m, tables));
        this.contacts = add(new ContactLayer(m.contacts, source, m.live));
        this.contacts.onload = () => {
            this.contacts.update(this.pose);
            this.dirty = true;
        };
        this.trail = add(new TrailLayer(store, m.frames.origin, pose.held));
        // Drawn over the scene, without shade on it or from it.
        const over = [this.joints, this.frames, this.arrows, this.contacts, this.trail].map((l) => l.object);
        for (const o of [...over, this.outline, this.ring]) o.traverse((x) => x.layers.set(OVER));
        for (const light of [this.sun, this.fill, this.sky]) light.layers.enable(OVER);
        this.camera.layers.enable(OVER);
        this.scene.add(this.joints.skeleton);

        const rope = new CylinderGeometry(1, 1, 1, 10).rotateX(Math.PI / 2).translate(0, 0, 0.5);
        this.band = new Mesh(
            rope,
            new MeshBasicMaterial({ color: "#ff7a1a", depthTest: false, transparent: true, opacity: 0.9 }),
        );
        this.bandEnd = new Mesh(new SphereGeometry(1, 20, 14), this.band.material);
        this.bandEnd.renderOrder = 9;
        this.scene.add(this.bandEnd);
        for (const o of [this.band, this.bandEnd]) o.layers.set(OVER);
        this.band.frustumCulled = this.band.visible = this.bandEnd.visible = this.outline.visible = false;
        this.band.renderOrder = 9;
        this.scene.add(this.band);
        this.triad.onpick = (axis) => this.look(axis.clone());
        new ResizeObserver(() => this.resize()).observe(host);
        this.resize();
    }

    /** One more layer. */
    add(layer: Layer): void {
        this.layers.push(layer);
        this.scene.add(layer.object);
        layer.update(this.pose);
        this.dirty = true;
    }

    get canvas(): HTMLCanvasElement {
        return this.renderer.domElement;
    }

    get cell(): number {
        return this.ground.cell;
    }

    /** Fixed planes that lie level are drawn as the ground. */
    private isGround(s: Shape, body: number): boolean {
        if (!this.m.bodies[body]?.fixed || s.rotation?.slice(1).some((x) => Math.abs(x) > 1e-6)) return false;
        return new Vector3(...(s.normal ?? [0, 0, 1])).normalize().dot(this.up) > 0.999;
    }

    private groundHeight(): number | null {
        let best: number | null = null;
        this.m.bodies.forEach((b, i) => {
            for (const s of b.shapes ?? []) {
                if (s.type !== "plane" || !this.isGround(s, i) || !this.pose.a) continue;
                const h = this.pose
                    .position(i, new Vector3())
                    .add(new Vector3(...(s.at ?? [0, 0, 0])))
                    .dot(this.up);
                best = best === null ? h : Math.max(best, h);
            }
        });
        return best;
    }

    /** Takes the present moment into account for the first view. */
    include(): void {
        for (const layer of this.layers) layer.grow?.(this.box, this.still, this.pose);
    }

    /** Takes the present moment in as well, and steps back where things have left the first view. Not once a user has moved it. */
    widen(): void {
        if (this.touched) return;
        const before = this.box.getSize(new Vector3()).length();
        this.include();
        if (this.box.getSize(new Vector3()).length() > 1.15 * before) this.settle();
    }

    /** After include(): sizes glyphs, lays the ground, places the light and the camera. */
    settle(): void {
        const box = this.wholeBox();
        this.size = Math.max(box.getSize(new Vector3()).length(), 1e-9);
        for (const layer of this.layers) layer.resize?.(this.size);
        scenery.grainSize.value = 0.004 * this.size;
        const low = Math.min(...corners(box).map((c) => c.dot(this.up)));
        const origin = new Vector3(...this.m.frames.origin),
            centre = box.getCenter(new Vector3());
        this.ground.place(centre, this.groundHeight() ?? low - 0.002 * this.size, this.size, origin);
        this.lightFrom(box);
        for (const layer of this.layers) layer.update(this.pose);
        this.renderer.shadowMap.needsUpdate = true;
        if (!this.touched) this.home(false);
        this.dirty = true;
    }

    private wholeBox(): Box3 {
        const box = this.box.clone();
        if (box.isEmpty()) box.copy(this.still);
        if (box.isEmpty()) box.setFromCenterAndSize(new Vector3(), new Vector3(1, 1, 1));
        // Large fixed things count only as far as they are near what moves.
        const reach = Math.max(0.35 * box.getSize(new Vector3()).length(), 1e-9);
        const near = box.clone().expandByScalar(reach).intersect(this.still);
        if (!this.still.isEmpty() && !near.isEmpty()) box.union(near);
        if (box.getSize(new Vector3()).length() < 1e-9) box.expandByScalar(0.5);
        return box;
    }

    private lightFrom(box: Box3): void {
        const centre = box.getCenter(new Vector3()),
            r = 0.75 * this.size;
        const [e1, e2] = across(this.up);
        const direction = this.up
            .clone()
            .multiplyScalar(1.5)
            .addScaledVector(e1, -0.55)
            .addScaledVector(e2, -0.75)
            .normalize();
        this.sun.target.position.copy(centre);
        this.sun.position.copy(centre).addScaledVector(direction, 3 * r);
        const s = this.sun.shadow.camera;
        [s.left, s.right, s.bottom, s.top, s.near, s.far] = [-1.3 * r, 1.3 * r, -1.3 * r, 1.3 * r, 0.5 * r, 6 * r];
        s.updateProjectionMatrix();
        this.sun.shadow.bias = -0.0006;
        this.sun.shadow.normalBias = 0.0015 * this.size;
        this.sky.position.copy(this.up);
    }

    // Camera ------------------------------------------------------------------------------------------

    /** The first view: what the scene asks for, else one that shows all of the motion. */
    home(smooth = true): void {
        const { camera, target } = this.m.view,
            o = new Vector3(...this.m.frames.origin);
        const eye = Array.isArray(camera) ? camera : camera?.position,
            aim = target ?? (Array.isArray(camera) ? null : camera?.target);
        const centre = aim ? new Vector3(...aim).sub(o) : this.wholeBox().getCenter(new Vector3());
        if (eye) this.go(new Vector3(...eye).sub(o), centre, smooth);
        else this.look(goodDirection(this.wholeBox(), this.up), smooth);
    }

    /** Fits everything as it is now, from the present side. */
    fit(): void {
        const now = new Box3(),
            still = new Box3();
        for (const layer of this.layers) layer.grow?.(now, still, this.pose);
        const box = now.isEmpty() ? this.wholeBox() : now;
        const direction = this.camera.position.clone().sub(this.controls.target).normalize();
        const centre = box.getCenter(new Vector3());
        this.go(centre.clone().addScaledVector(direction, fitDistance(this.camera, box, direction)), centre, true);
    }

    preset(name: string): void {
        const d = new Vector3(...(DIRECTIONS[name] ?? [0, -1, 0]));
        this.look(d.applyQuaternion(new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), this.up)));
    }

    look(direction: Vector3, smooth = true): void {
        const box = this.wholeBox(),
            centre = box.getCenter(new Vector3());
        const d = direction.clone().normalize();
        if (Math.abs(d.dot(this.up)) > 0.9999) d.addScaledVector(across(this.up)[1], -1e-3).normalize();
        this.go(centre.clone().addScaledVector(d, fitDistance(this.camera, box, d)), centre, smooth);
    }

    /** Looks from one point of the scene at another. */
    lookFrom(eye: Vector3, target: Vector3): void {
        this.touched = true;
        this.go(eye, target, true);
    }

    private go(position: Vector3, target: Vector3, smooth: boolean): void {
        if (smooth && !this.software) {
            const from: [Vector3, Vector3] = [this.camera.position.clone(), this.controls.target.clone()];
            this.glide = { from, to: [position, target], start: performance.now() };
        } else {
            this.camera.position.copy(position);
            this.controls.target.copy(target);
            this.controls.update();
        }
        this.dirty = true;
    }

    private moveCamera(now: number): void {
        if (this.glide) {
            const s = Math.min((now - this.glide.start) / 320, 1),
                e = s * s * (3 - 2 * s);
            this.camera.position.lerpVectors(this.glide.from[0], this.glide.to[0], e);
            this.controls.target.lerpVectors(this.glide.from[1], this.glide.to[1], e);
            if (s >= 1) this.glide = null;
            this.dirty = true;
        }
        if (this.following !== null && this.pose.a) {
            const p = this.pose.position(this.following, new Vector3());
            const move = p.clone().sub(this.followed);
            if (move.lengthSq() > 0) {
                this.camera.position.add(move);
                this.controls.target.add(move);
                this.followed.copy(p);
                this.dirty = true;
            }
        }
        this.controls.update();
        const d = this.camera.position.distanceTo(this.controls.target);
        this.camera.near = Math.max(0.01 * d, d - 6 * this.size);
        this.camera.far = d + 14 * this.size;
        this.camera.updateProjectionMatrix();
        this.fill.position.copy(this.camera.position);
        this.fill.target.position.copy(this.controls.target);
    }

    follow(mover: number | null): void {
        this.following = mover;
        if (mover !== null && this.pose.a) {
            this.pose.position(mover, this.followed);
            const move = this.followed.clone().sub(this.controls.target);
            this.camera.position.add(move);
            this.controls.target.add(move);
        }
        this.dirty = true;
    }

    // What is shown -----------------------------------------------------------------------------------

    /** The sky: a gradient from top to bottom. */
    setBackground(top: string, middle: string, bottom: string): void {
        this.backdrop.paint(top, middle, bottom);
        this.dirty = true;
    }

    theme(dark: boolean): void {
        const sky = new Color(dark ? "#c9d8e8" : "#f4f8ff"),
            floor = new Color(dark ? "#3c4650" : "#a39c92");
        const strength = dark ? 1.3 : 1.4;
        this.sky.color.copy(sky);
        this.sky.groundColor.copy(floor);
        this.sky.intensity = strength;
        scenery.up.value.copy(this.up);
        scenery.skyTint.value.set(dark ? "#7d90a6" : "#e8f0fa");
        scenery.groundTint.value.set(dark ? "#20262d" : "#8d877f");
        scenery.shine.value = dark ? 0.8 : 0.9;
        for (const s of [...this.spheres, ...this.guests]) s.light(sky, floor, strength, this.fill.intensity);
        this.ground.theme(dark);
        for (const layer of this.layers) layer.theme?.(dark);
        this.dirty = true;
    }

    /** The light of the scene, for spheres that are not of this run. */
    get sunlight(): DirectionalLight {
        return this.sun;
    }

    lightSpheres(s: SphereLayer): void {
        this.guests.push(s);
        s.light(this.sky.color, this.sky.groundColor, this.sky.intensity, this.fill.intensity);
    }

    /** Something drawn beside this run. */
    addGuest(object: Object3D): void {
        this.scene.add(object);
        this.dirty = true;
    }

    recolour(c: Colouring): void {
        this.colouring = c;
        for (const layer of this.layers) layer.recolour?.(c, this.pose);
        this.dirty = true;
    }

    shown(what: Toggle): boolean {
        return what === "shadows" ? this.sun.castShadow : this.objectOf(what).visible;
    }

    private objectOf(what: Toggle) {
        const objects = {
            grid: this.ground.object,
            joints: this.joints.object,
            springs: this.springs.object,
            forces: this.arrows.object,
            contacts: this.contacts.object,
            frames: this.frames.object,
            trail: this.trail.object,
            shadows: this.sun,
        };
        return objects[what];
    }

    async toggle(what: Toggle, on: boolean): Promise<void> {
        if (what === "shadows") this.sun.castShadow = on;
        else this.objectOf(what).visible = on;
        if (what === "forces" && on) await this.arrows.prepare();
        if (what === "trail") this.trail.follow(this.selected);
        this.update();
    }

    showChanged(): void {
        for (const layer of this.layers) layer.show?.(this.visibility, this.pose);
        this.renderer.shadowMap.needsUpdate = true;
        this.dirty = true;
    }

    /** Cuts the scene open across an axis (0, 1, 2) at a share of its extent; `flip` takes the other half away. */
    setClip(axis: number | null, share = 0.5, flip = false): void {
        this.cut = axis === null ? null : { axis, share, flip };
        const box = this.wholeBox();
        let planes: Plane[] | null = null;
        if (axis !== null) {
            const normal = new Vector3().setComponent(axis, flip ? 1 : -1);
            const at = box.min.getComponent(axis) + share * (box.max.getComponent(axis) - box.min.getComponent(axis));
            planes = [new Plane(normal, flip ? -at : at)];
        }
        for (const layer of this.layers) {
            layer.clip?.(planes);
            layer.update(this.pose);
        }
        this.renderer.shadowMap.needsUpdate = true;
        this.dirty = true;
    }

    /** Where the cut is, in world coordinates, m. */
    get cutAt(): number {
        if (!this.cut) return NaN;
        const box = this.wholeBox(),
            { axis, share } = this.cut,
            low = box.min.getComponent(axis);
        return low + share * (box.max.getComponent(axis) - low) + this.m.frames.origin[axis];
    }

    /** How solid everything is drawn, from 0 to 1. */
    setSolid(opacity: number): void {
        for (const layer of this.layers) {
            layer.solid?.(opacity);
            layer.update(this.pose);
        }
        this.renderer.shadowMap.needsUpdate = true;
        this.dirty = true;
    }

    /** Fine grain on surfaces. */
    setGrain(on: boolean): void {
        scenery.grain.value = on ? 1 : 0;
        this.dirty = true;
    }

    /** How solid one body, or the group of a particle, is drawn. */
    seeThrough(mover: number, opacity: number): void {
        const group = this.spheres.find((s) => s.holds(mover));
        if (group) group.solid(opacity);
        else this.bodies.seeThrough(mover, opacity);
        this.bodies.update(this.pose);
        this.renderer.shadowMap.needsUpdate = true;
        this.dirty = true;
    }

    opacityOf(mover: number): number {
        return this.spheres.some((s) => s.holds(mover)) ? 1 : this.bodies.opacityOf(mover);
    }

    /** Length of the arrows of contacts, and which are drawn (see ContactLayer). */
    setContacts(length: number, least: number): void {
        this.contacts.length = length;
        this.contacts.least = least;
        this.contacts.update(this.pose);
        this.dirty = true;
    }

    /** A new moment. */
    update(): void {
        if (this.colouring) {
            const { low, high } = this.colouring;
            this.colouring.scan(this.pose);
            if (low !== this.colouring.low || high !== this.colouring.high) this.recolour(this.colouring);
        }
        for (const layer of this.layers) layer.update(this.pose);
        this.updateOutline();
        this.renderer.shadowMap.needsUpdate = true;
        this.dirty = true;
    }

    select(mover: number | null): void {
        this.selected = mover;
        this.trail.follow(mover);
        this.updateOutline();
        this.dirty = true;
    }

    /** Puts a ring around a point that moves; null: none. */
    mark(spot: ((pose: Pose, out: Vector3) => Vector3 | null) | null): void {
        this.spot = spot;
        this.placeRing();
        this.dirty = true;
    }

    private placeRing(): void {
        const at = this.spot && this.pose.a ? this.spot(this.pose, this.ring.position) : null;
        this.ring.visible = at !== null;
    }

    framesCame(): void {
        this.trail.trace();
    }

    private updateOutline(): void {
        this.placeRing();
        this.outline.visible = this.selected !== null && this.pose.a !== null;
        if (this.selected === null || !this.pose.a) return;
        const own = this.bodies.own.get(this.selected);
        const sphere = this.spheres.find((s) => s.object.visible && s.holds(this.selected!));
        const r = sphere ? sphere.radius(this.selected - sphere.start) : 0.01 * this.size;
        const box = own ?? new Box3(new Vector3(-r, -r, -r), new Vector3(r, r, r));
        const scale = box
            .getSize(new Vector3())
            .multiplyScalar(0.52)
            .addScalar(0.002 * this.size);
        const matrix = new Matrix4().compose(
            this.pose.position(this.selected, new Vector3()),
            this.pose.rotation(this.selected, new Quaternion()),
            new Vector3(1, 1, 1),
        );
        const local = new Matrix4().compose(box.getCenter(new Vector3()), new Quaternion(), scale);
        this.outline.matrixAutoUpdate = false;
        this.outline.updateMatrixWorld = () => {};
        this.outline.matrixWorld.multiplyMatrices(matrix, local);
    }

    // Picking -----------------------------------------------------------------------------------------

    private ray(x: number, y: number): Ray {
        const r = this.canvas.getBoundingClientRect();
        const caster = new Raycaster();
        this.camera.updateMatrixWorld();
        caster.setFromCamera(
            new Vector2(((x - r.left) / r.width) * 2 - 1, 1 - ((y - r.top) / r.height) * 2),
            this.camera,
        );
        return caster.ray;
    }

    /** What lies under a point of the window. */
    pick(x: number, y: number): Hit | null {
        const ray = this.ray(x, y);
        if (!this.pose.a) return null;
        const nearest = (layers: Layer[]) => {
            let best: Hit | null = null;
            for (const layer of layers) {
                const hit = layer.object.visible ? layer.pick?.(ray, this.pose) : null;
                if (hit && (!best || hit.distance < best.distance)) best = hit;
            }
            return best;
        };
        // What is drawn over everything else is met first.
        const over: Layer[] = [this.contacts, this.joints];
        return nearest(over) ?? nearest(this.layers.filter((l) => !over.includes(l)));
    }

    /** Where the ray through a point of the window meets the plane through `point` that faces the eye. */
    onPlane(x: number, y: number, point: Vector3): Vector3 | null {
        const normal = this.camera.getWorldDirection(new Vector3());
        return this.ray(x, y).intersectPlane(new Plane().setFromNormalAndCoplanarPoint(normal, point), new Vector3());
    }

    /** Window coordinates of a point of the scene. */
    project(point: Vector3): [number, number] {
        const r = this.canvas.getBoundingClientRect();
        this.camera.updateMatrixWorld();
        const p = point.clone().project(this.camera);
        return [r.left + ((p.x + 1) / 2) * r.width, r.top + ((1 - p.y) / 2) * r.height];
    }

    /** The rubber band between a body and the pointer. */
    setBand(from: Vector3 | null, to: Vector3 | null): void {
        this.band.visible = from !== null && to !== null;
        this.bandEnd.visible = this.band.visible;
        if (from && to) {
            const along = to.clone().sub(from),
                length = Math.max(along.length(), 1e-12),
                r = 0.004 * this.size;
            this.band.position.copy(from);
            this.band.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), along.divideScalar(length));
            this.band.scale.set(r, r, length);
            this.bandEnd.position.copy(to);
            this.bandEnd.scale.setScalar(2.6 * r);
        }
        this.dirty = true;
    }

    // Drawing -----------------------------------------------------------------------------------------

    private resize(): void {
        if (this.fixed) return;
        const w = Math.max(this.host.clientWidth, 1),
            h = Math.max(this.host.clientHeight, 1);
        this.renderer.setPixelRatio(this.ratio);
        this.renderer.setSize(w, h);
        this.camera.aspect = w / h;
        this.camera.updateProjectionMatrix();
        if (!this.touched && this.size > 0 && !this.box.isEmpty()) this.home(false);
        this.dirty = true;
    }

    /** Draws when something has changed. */
    render(now: number, playing: boolean): boolean {
        this.moveCamera(now);
        // In software, a picture at rest gets what moving ones go without.
        const rest = this.ambience === "auto" && this.software && !this.rested && !playing && now - this.moved > 350;
        if (!this.dirty && !rest) return false;
        if (this.dirty) this.moved = now;
        this.rested = rest;
        this.dirty = false;
        this.draw(rest);
        this.triad.update(this.camera);
        this.adapt(Math.min(now - this.last, 500), playing);
        this.last = now;
        this.onmoved();
        return true;
    }

    /** Draws the scene, with ambient occlusion where it is wanted; `fine`: where it can be had. */
    private draw(fine = false): void {
        const wanted = this.ambience === "on" || (this.ambience === "auto" && (fine || !this.software));
        if (!wanted) return this.renderer.render(this.scene, this.camera);
        this.ambient ??= new Ambient(this.renderer);
        this.ambient.render(this.scene, this.camera, 0.05 * this.size);
    }

    /** Coarser pixels while pictures take long, finer ones when all is at rest. */
    private adapt(cost: number, playing: boolean): void {
        if (playing) this.cost += 0.15 * (cost - this.cost);
        const best = this.software ? 1 : Math.min(window.devicePixelRatio || 1, 2);
        let ratio = this.ratio;
        if (playing && this.cost > 45) ratio = Math.max(0.6, 0.85 * ratio);
        else if (!playing) ratio = best;
        if (Math.abs(ratio - this.ratio) > 0.01) {
            this.ratio = ratio;
            this.cost = 30;
            this.renderer.setPixelRatio(ratio);
            this.dirty = true;
        }
    }

    /** Draws pictures of a size in pixels from now on, whatever the window has; null: as the window is. */
    fix(size: [number, number] | null): void {
        this.fixed = size;
        this.canvas.style.visibility = size ? "hidden" : ""; // the window is not painted for each picture
        if (!size) return this.resize();
        this.ratio = 1;
        this.renderer.setPixelRatio(1);
        this.renderer.setSize(size[0], size[1], false);
        this.camera.aspect = size[0] / size[1];
        this.camera.updateProjectionMatrix();
    }

    /** Draws this moment now. */
    drawNow(): HTMLCanvasElement {
        this.moveCamera(Infinity);
        this.draw();
        return this.canvas;
    }

    /** A picture of the view, as a canvas. */
    picture(): HTMLCanvasElement {
        this.draw(true);
        const out = document.createElement("canvas");
        [out.width, out.height] = [this.canvas.width, this.canvas.height];
        const c = out.getContext("2d")!;
        c.drawImage(this.canvas, 0, 0);
        return out;
    }
}

/** A ring of a size in pixels, over everything else. */
function marker(): Sprite {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 64;
    const c = canvas.getContext("2d")!;
    for (const [colour, width] of [
        ["rgba(0, 0, 0, 0.55)", 9],
        ["#ffb000", 5],
    ] as const) {
        c.strokeStyle = colour;
        c.lineWidth = width;
        c.beginPath();
        c.arc(32, 32, 25, 0, 2 * Math.PI);
        c.stroke();
    }
    const map = new CanvasTexture(canvas);
    map.colorSpace = SRGBColorSpace;
    const ring = new Sprite(new SpriteMaterial({ map, depthTest: false, depthWrite: false, sizeAttenuation: false }));
    ring.scale.setScalar(0.035);
    ring.renderOrder = 10;
    ring.visible = false;
    return ring;
}

function corners(box: Box3): Vector3[] {
    return [0, 1, 2, 3, 4, 5, 6, 7].map(
        (i) => new Vector3(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z),
    );
}
