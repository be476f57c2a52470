// latchkey doctor --live: one line, and an exit code for the health checks of containers.
import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { startProcess } from '../support/process.ts';
import { createSite, type Site } from './run.ts';

async function onSite(work: (site: Site) => Promise<void>) {
  const site = await createSite('sqlite');
  try {
    await work(site);
  } finally {
    await site.close();
  }
}

/** The exit code and the line; nothing else may be printed. */
async function ask(site: Site, env: Record<string, string>) {
  const { code, out, err } = await site.run(['doctor', '--live'], { env });
  assert.equal(err, '');
  assert.match(out, /^[^\n]+\n$/);
  return { code, line: out.trim() };
}

/** Runs a program that is not the service. @param listener answers its requests. */
async function withProgram(listener: RequestListener, work: (port: number) => Promise<void>) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  try {
    await new Promise((resolve) => server.once('listening', resolve));
    // A server that listens on TCP has an address of this type.
    await work((server.address() as AddressInfo).port);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe('latchkey doctor --live', () => {
  for (const host of ['127.0.0.1', '0.0.0.0', '::', 'localhost']) {
    it(`finds the service that listens on ${host}, and says when it has stopped`, () =>
      onSite(async (site) => {
        const service = await startProcess({
          env: { ...site.env, LATCHKEY_HOST: host },
          dataDir: `${site.folder}/data`,
        });
        const env = { LATCHKEY_HOST: host, LATCHKEY_PORT: String(service.port) };
        try {
          assert.deepEqual(await ask(site, env), {
            code: 0,
            line: `ok    service        answers on port ${service.port}`,
          });
        } finally {
          await service.stop();
        }
        const { code, line } = await ask(site, env);
        assert.equal(code, 1);
        assert.match(line, /^fail {2}service +The service does not answer at .*ECONNREFUSED.*: see its log/);
      }));
  }

  it('asks the service itself, whatever proxy the environment names', () =>
    onSite((site) =>
      withProgram(
        (_request, response) => response.end('{"status":"ok"}'),
        async (port) => {
          const proxy = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: 'http://127.0.0.1:9' };
          assert.equal((await ask(site, { LATCHKEY_PORT: String(port), ...proxy })).code, 0);
        },
      ),
    ));

  it('does not take another program for the service', () =>
    onSite(async (site) => {
      const answers: RequestListener[] = [
        (_request, response) => response.end('hello'),
        (_request, response) => response.writeHead(302, { location: '/login' }).end(),
        (_request, response) => response.writeHead(500).end('{"status":"ok"}'),
      ];
      for (const answer of answers) {
        await withProgram(answer, async (port) => {
          const { code, line } = await ask(site, { LATCHKEY_PORT: String(port) });
          assert.equal(code, 1);
          assert.match(line, /^fail {2}service +Another program answers/);
        });
      }
    }));

  it('waits three seconds for a service that hangs', () =>
    onSite((site) =>
      withProgram(
        () => {},
        async (port) => {
          const { code, line } = await ask(site, { LATCHKEY_PORT: String(port) });
          assert.equal(code, 1);
          assert.match(line, /^fail .*no answer for 3 s/);
        },
      ),
    ));

  it('asks the verifier at its own port, where the environment is that of a verifier', () =>
    onSite(async (site) => {
      const issuer = { LATCHKEY_HOST: '127.0.0.81', LATCHKEY_ISSUER: 'https://id.example.com' };
      const verifier = { ...issuer, LATCHKEY_SERVICE_KEY: 'lks_abc' };
      assert.match((await ask(site, verifier)).line, / at 127\.0\.0\.81, port 8081/);
      assert.match((await ask(site, { ...verifier, LATCHKEY_PORT: '8099' })).line, / at 127\.0\.0\.81, port 8099/);
      assert.match((await ask(site, issuer)).line, / at 127\.0\.0\.81, port 8080/);
      await withProgram(
        (_request, response) => response.end('{"status":"ok"}'),
        async (port) => {
          const env = { ...verifier, LATCHKEY_HOST: '127.0.0.1', LATCHKEY_PORT: String(port) };
          assert.equal((await ask(site, env)).code, 0);
        },
      );
    }));

  it('names the variable that is wrong', () =>
    onSite(async (site) => {
      const wrong = await ask(site, { LATCHKEY_PORT: 'eighty' });
      assert.equal(wrong.code, 1);
      assert.match(wrong.line, /^fail {2}configuration +LATCHKEY_PORT/);
      const any = await ask(site, { LATCHKEY_PORT: '0' });
      assert.equal(any.code, 1);
      assert.match(any.line, /^fail {2}service +LATCHKEY_PORT is 0/);
    }));
});
