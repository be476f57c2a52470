// Verifiers of the guide: its code for each language, run on tokens by a small program around it.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './guide.ts';

const run = promisify(execFile);

const GUIDE = join(root, 'docs/guide/verifying-tokens.md');

/** The public URL in the code of the guide. */
const PRINTED_ISSUER = 'https://id.example.com';

export interface Verifier {
  readonly language: string;
  /** The file that the guide prints. */
  readonly file: string;
  /** Reads tokens from standard input, one a line, and prints `accepted SUB` or `refused` for each. */
  readonly program: { readonly file: string; readonly text: string };
  /** The command that runs the program, in the folder of both files. */
  readonly command: readonly string[];
  /** The command that fails when a tool is missing, and the packages of Debian that have the tools. */
  readonly tools?: { readonly probe: readonly string[]; readonly packages: string };
  /** Variables besides those of the test. `base` is the folder that has the program's in `src/verifier`. */
  readonly env?: (base: string) => Record<string, string>;
  readonly prepare?: (folder: string) => void;
}

/** Runs without further tools: Node and `jose` come with the checkout. */
export const nodeVerifier: Verifier = {
  language: 'Node',
  file: 'verify.mjs',
  program: {
    file: 'main.mjs',
    text: `
      import { createInterface } from 'node:readline';
      import { errors } from 'jose';
      import { verify } from './verify.mjs';
      for await (const token of createInterface({ input: process.stdin })) {
        try {
          console.log('accepted ' + (await verify(token)).sub);
        } catch (error) {
          if (!(error instanceof errors.JOSEError)) throw error;
          console.log('refused');
        }
      }`,
  },
  command: [process.execPath, 'main.mjs'],
  prepare: (folder) => symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules')),
};

const GO_CODE = '/usr/share/gocode';
const GO_OIDC = join(GO_CODE, 'src/github.com/coreos/go-oidc');

/** Run with tools of Debian. */
export const otherVerifiers: readonly Verifier[] = [
  {
    language: 'Python',
    file: 'verify.py',
    program: {
      file: 'main.py',
      text: [
        'import sys',
        'import jwt',
        'from verify import verify',
        'for line in sys.stdin:',
        '    try:',
        '        print("accepted", verify(line.rstrip("\\n"))["sub"])',
        '    except jwt.PyJWTError:',
        '        print("refused")',
      ].join('\n'),
    },
    command: ['/usr/bin/python3', 'main.py'],
    tools: {
      probe: ['/usr/bin/python3', '-c', 'import jwt, cryptography'],
      packages: 'python3-jwt python3-cryptography',
    },
  },
  {
    language: 'Go',
    file: 'verify.go',
    program: {
      file: 'main.go',
      text: `
        package main
        import ("bufio"; "context"; "fmt"; "os")
        func main() {
          lines := bufio.NewScanner(os.Stdin)
          for lines.Scan() {
            claims, err := verify(context.Background(), lines.Text())
            if err != nil { fmt.Println("refused"); continue }
            fmt.Println("accepted", claims.Subject)
          }
        }`,
    },
    command: ['/usr/bin/go', 'run', '.'],
    tools: {
      probe: ['/usr/bin/go', 'list', 'github.com/coreos/go-oidc/...'],
      packages: 'golang-go golang-github-coreos-go-oidc-dev',
    },
    env: (base) => ({ GO111MODULE: 'off', GOPATH: `${base}:${GO_CODE}` }),
    prepare: (folder) => {
      if (existsSync(join(GO_OIDC, 'v3'))) return;
      // Debian 12 has version 2, whose package is in the root of the repository.
      const library = join(folder, 'vendor/github.com/coreos/go-oidc/v3/oidc');
      mkdirSync(library, { recursive: true });
      const sources = readdirSync(GO_OIDC).filter((name) => name.endsWith('.go') && !name.endsWith('_test.go'));
      for (const name of sources) cpSync(join(GO_OIDC, name), join(library, name));
    },
  },
  {
    language: 'Ruby',
    file: 'verify.rb',
    program: {
      file: 'main.rb',
      text: `
        require_relative 'verify'
        STDIN.each_line(chomp: true) do |token|
          puts "accepted #{verify(token)['sub']}"
        rescue JWT::DecodeError
          puts 'refused'
        end`,
    },
    command: ['/usr/bin/ruby', 'main.rb'],
    tools: { probe: ['/usr/bin/ruby', '-e', 'require "jwt"'], packages: 'ruby ruby-jwt' },
  },
  {
    language: 'PHP',
    file: 'verify.php',
    program: {
      file: 'main.php',
      text: `<?php
        set_error_handler(fn ($level, $text) => throw new ErrorException($text));
        require 'verify.php';
        foreach (file('php://stdin', FILE_IGNORE_NEW_LINES) as $token) {
            try {
                echo 'accepted ' . verify($token)['sub'] . "\\n";
            } catch (UnexpectedValueException) {
                echo "refused\\n";
            }
        }`,
    },
    command: ['/usr/bin/php', 'main.php'],
    tools: { probe: ['/usr/bin/php', '-r', 'exit(extension_loaded("openssl") ? 0 : 1);'], packages: 'php-cli' },
  },
];

/** Fails with the packages to install if the tools of this verifier are missing. */
export async function requireTools({ language, tools, env }: Verifier): Promise<void> {
  if (!tools) return;
  const [command = '', ...args] = tools.probe;
  await run(command, args, { env: { ...process.env, ...env?.(GO_CODE) } }).catch(() => {
    assert.fail(`The tools for ${language} are missing. Install them: apt-get install ${tools.packages}`);
  });
}

/**
 * Runs the code of the guide on these tokens.
 * @param headerType what stands in the code in place of `at+jwt`.
 * @returns the program's line for each token: `accepted SUB` or `refused`.
 */
export async function runVerifier(
  { file, program, command: [command = '', ...args], env, prepare }: Verifier,
  { issuer, tokens, headerType }: { issuer: string; tokens: readonly string[]; headerType: string },
): Promise<string[]> {
  const base = mkdtempSync(join(tmpdir(), 'latchkey-verifier-'));
  const folder = join(base, 'src/verifier');
  mkdirSync(folder, { recursive: true });
  const code = readPrinted(file).replaceAll(PRINTED_ISSUER, issuer).replaceAll('at+jwt', headerType);
  writeFileSync(join(folder, file), code);
  writeFileSync(join(folder, program.file), program.text);
  prepare?.(folder);
  try {
    const running = run(command, args, { cwd: folder, env: { ...process.env, ...env?.(base) } });
    running.child.stdin?.end(tokens.map((token) => `${token}\n`).join(''));
    return (await running).stdout.trimEnd().split('\n');
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

/** Returns the block of the guide that has this file name in its first comment. */
function readPrinted(file: string): string {
  const blocks = [...readFileSync(GUIDE, 'utf8').matchAll(/^```\w+\n(.*?)^```/gms)].map(([, block = '']) => block);
  const found = blocks.filter((block) =>
    block.split('\n', 2).some((line) => /^(\/\/|#) (\S+)$/.exec(line)?.[2] === file),
  );
  assert.equal(found.length, 1, `the guide has one block that is ${file}`);
  return found[0] as string;
}
