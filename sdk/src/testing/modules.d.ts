// What is used of Node.js. The other parts of the SDK also run in browsers, and must not find its types.
declare module 'node:child_process' {
  type Readable = {
    setEncoding(encoding: 'utf8'): Readable;
    on(event: 'data', listener: (text: string) => void): Readable;
    unref?(): void;
  };
  type Writable = {
    write(text: string): unknown;
    end(): void;
    on(event: 'error', listener: () => void): Writable;
    unref?(): void;
  };
  export type Child = {
    readonly stdin: Writable;
    readonly stdout: Readable;
    readonly stderr: Readable;
    readonly exitCode: number | null;
    readonly signalCode: string | null;
    once(event: 'close' | 'exit', listener: () => void): Child;
    once(event: 'error', listener: (error: Error) => void): Child;
    kill(signal: 'SIGKILL'): unknown;
    ref(): void;
    unref(): void;
  };
  export function spawn(
    program: string,
    args: readonly string[],
    options: { env: Readonly<Record<string, string | undefined>>; stdio: 'pipe' },
  ): Child;
}

declare module 'node:module' {
  export function createRequire(from: string): { resolve(name: string): string };
}

declare module 'node:path' {
  export function dirname(path: string): string;
  export function join(...parts: string[]): string;
  export function resolve(...parts: string[]): string;
}

declare module 'node:process' {
  export const env: Readonly<Record<string, string | undefined>>;
  export const execPath: string;
  export const stderr: { write(text: string): unknown };
  export function cwd(): string;
}
