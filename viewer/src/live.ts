// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The other end of `kairos run --live`: frames and figures come in, commands go out. After each frame
// that is drawn the page says "ready", and only then does the server send the next one.
import type { Json, Manifest } from "./manifest";

export interface LiveState {
    time: number;
    paused: boolean;
    speed: number;
    real_time_factor: number;
    summary?: { [key: string]: Json };
}

export type Connection = "connecting" | "connected" | "lost" | "ended";

export class LiveClient {
    connection: Connection = "connecting";
    state: LiveState = { time: 0, paused: false, speed: 1, real_time_factor: 0 };
    onmanifest: (m: Partial<Manifest>) => void = () => {};
    onframe: (data: ArrayBuffer) => void = () => {};
    onstate: () => void = () => {};
    onseries: (file: string, rows: number[][], columns?: string[]) => void = () => {};
    onerror: (message: string) => void = () => {};
    onopen: () => void = () => {};
    private socket: WebSocket | null = null;
    private delay = 500;
    private readyAt = 0;
    private pad = "";

    constructor(private url: string) {}

    /** The live address of the page's own server. */
    static address(): string {
        const scheme = location.protocol === "https:" ? "wss:" : "ws:";
        return `${scheme}//${location.host}/live${location.search}`;
    }

    connect(): void {
        this.connection = "connecting";
        this.onstate();
        const socket = new WebSocket(this.url);
        this.socket = socket;
        socket.binaryType = "arraybuffer";
        socket.onopen = () => {
            this.connection = "connected";
            this.delay = 500;
            this.onstate();
            this.onopen();
            this.send({ type: "ready" });
        };
        socket.onmessage = (e) => this.message(e.data);
        socket.onclose = () => this.closed();
    }

    private closed(): void {
        this.socket = null;
        if (this.connection === "ended") return;
        this.connection = "lost";
        this.onstate();
        setTimeout(() => this.connect(), this.delay);
        this.delay = Math.min(2 * this.delay, 8000);
    }

    private message(data: unknown): void {
        if (data instanceof ArrayBuffer) {
            this.onframe(data);
            this.readyAt = performance.now();
            return;
        }
        let m: { type?: string; [key: string]: unknown };
        try {
            m = JSON.parse(String(data));
        } catch {
            return;
        }
        if (m.type === "manifest") this.onmanifest(m as Partial<Manifest>);
        else if (m.type === "state") {
            this.state = { ...this.state, ...(m as Partial<LiveState>) };
            this.onstate();
        } else if (m.type === "series") {
            const rows = (m.rows ?? (Array.isArray((m.row as unknown[])?.[0]) ? m.row : [m.row])) as number[][];
            this.onseries(String(m.file), rows, m.columns as string[] | undefined);
        } else if (m.type === "error") this.onerror(String(m.message));
        else if (m.type === "end") {
            this.connection = "ended";
            this.onstate();
        }
    }

    /** A picture was drawn since the last frame came: ask for the next. */
    drawn(): void {
        if (!this.readyAt) return;
        this.readyAt = 0;
        this.send({ type: "ready" });
    }

    send(message: object): void {
        if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
    }

    /** Sends what a game pad says, when it says something new; one that was taken away lets go of everything. */
    pollGamepad(): void {
        const pad = navigator.getGamepads?.().find((p) => p?.connected);
        if (!pad) {
            if (this.pad) this.send({ type: "gamepad", axes: [], buttons: [] });
            this.pad = "";
            return;
        }
        const axes = pad.axes.map((a) => Math.round(a * 1000) / 1000),
            buttons = pad.buttons.map((b) => Math.round(b.value * 1000) / 1000);
        const text = JSON.stringify([axes, buttons]);
        if (text === this.pad) return;
        this.pad = text;
        this.send({ type: "gamepad", axes, buttons });
    }
}
