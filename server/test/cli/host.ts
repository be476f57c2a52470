// The process of `run.ts` that runs one command line after the other, each as if it had the process to itself.
import { Readable, Writable } from 'node:stream';

/** A command line. `input` is what its standard input holds, `env` all of its environment. */
export type Command = {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly input: string | Uint8Array;
};

/** Its exit code, and what it wrote to standard output and standard error. */
export type Ended = { readonly code: number | null; readonly out: string; readonly err: string };

const COMMAND_LINE = new URL('../../../dist/package/server/main.js', import.meta.url).href;

const endProcess = process.exit.bind(process);
const mask = process.umask();

let count = 0;

process.on('disconnect', () => endProcess());
process.on('message', async (command: Command) => process.send?.(await run(command)));

async function run({ words, env, cwd, input }: Command): Promise<Ended> {
  const out = collect();
  const err = collect();
  const streams = { stdin: Readable.from([Buffer.from(input)]), stdout: out.stream, stderr: err.stream };
  for (const [name, value] of Object.entries(streams)) {
    Object.defineProperty(process, name, { value, configurable: true });
  }
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  process.umask(mask);
  process.argv.splice(2, process.argv.length, ...words);
  process.exitCode = undefined;
  const { promise: ended, resolve } = Promise.withResolvers<number>();
  // The program ends with this call, which here must return.
  process.exit = ((code) => resolve(Number(code ?? process.exitCode ?? 0))) as typeof process.exit;
  count += 1;
  // Another address is another module, so it runs again. What it imports is loaded once.
  const crashed = import(`${COMMAND_LINE}?${count}`).then(
    () => ended,
    (error) => {
      streams.stderr.write(String(error?.stack));
      return 1;
    },
  );
  const code = await Promise.race([ended, crashed]);
  return { code, out: out.text(), err: err.text() };
}

function collect() {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}
