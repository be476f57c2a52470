// An application behind a proxy that asks, as the guide on protecting services says, whether a request may pass.
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { startPlainCaddy } from './caddy.ts';
import { createRunningClock } from './clock.ts';
import { readGuideFile } from './guide.ts';
import { startNginx } from './nginx.ts';
import { findFreePort } from './ports.ts';
import {
  type ProtectedApplication,
  type ProxyAnswer,
  type SentHeaders,
  sendTo,
  startProtectedApplication,
} from './protected-application.ts';
import { startTestService, type TestService } from './service.ts';
import { startSidecar } from './sidecar.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

export const GUIDE = 'protecting-services.md';

const LOOK_MS = 20;

/** Who answers the proxy: Latchkey itself, or a sidecar that follows it. */
export type Guard = 'forward-auth' | 'sidecar';

/** By proxy: starts it with the configuration of the guide, changed by `configure`. */
const proxies = {
  async nginx(configure: Configure, port: number) {
    const printed = readGuideFile(GUIDE, 'orders.conf').replaceAll(/^ *ssl_certificate.*\n/gm, '');
    return startNginx(configure(printed, { 'listen 443 ssl;': `listen 127.0.0.1:${port};` }), port);
  },
  async Caddy(configure: Configure, port: number) {
    const site = configure(readGuideFile(GUIDE, 'Caddyfile'), { 'orders.example.com {': `http://127.0.0.1:${port} {` });
    return startPlainCaddy(`{\n\tadmin off\n}\n${site}`);
  },
};
export type ProxyName = keyof typeof proxies;
type Configure = (printed: string, replacements: Record<string, string>) => string;

export interface Guarded {
  readonly test: TestService;
  readonly application: ProtectedApplication;
  /** Between the proxy and its guard. */
  readonly door: TcpProxy;
  /** Between the sidecar and Latchkey. */
  readonly line: TcpProxy;
  /** Sends a request through the proxy. */
  call(path: string, token?: string, request?: Call): Promise<ProxyAnswer>;
  /** Calls again and again, until the status is another than this one. */
  callWhile(status: number, path: string, token: string): Promise<ProxyAnswer>;
  close(): Promise<void>;
}
type Call = { headers?: SentHeaders; method?: string; body?: Buffer[] };

/** @param change what a test changes in the configuration besides the addresses. */
export async function startGuarded(
  proxyName: ProxyName,
  guard: Guard,
  change: (configuration: string) => string = (configuration) => configuration,
): Promise<Guarded> {
  const opened: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const end of opened.splice(0).reverse()) await end();
  };
  async function open() {
    const servicePort = await findFreePort();
    const line = await startTcpProxy(servicePort);
    opened.push(line.close);
    const issuer = `http://127.0.0.1:${line.port}`;
    const test = await startTestService('sqlite', { publicUrl: issuer, clock: createRunningClock() });
    opened.push(test.close);
    await test.app.listen({ port: servicePort, host: '127.0.0.1' });
    const sidecar = guard === 'sidecar' ? await startSidecar(test, issuer) : undefined;
    if (sidecar) opened.push(sidecar.stop);
    const door = await startTcpProxy(sidecar?.port ?? servicePort);
    opened.push(door.close);
    const application = await startProtectedApplication();
    opened.push(application.close);
    const port = await findFreePort();
    const proxy = await proxies[proxyName](configureFor(guard, application.port, door.port, change), port);
    opened.push(proxy.stop);
    return { test, application, door, line, port };
  }
  const { port, ...parts } = await open().catch(async (error) => {
    await close();
    throw error;
  });

  const call: Guarded['call'] = (path, token, { headers, ...request } = {}) =>
    sendTo(port, path, {
      ...request,
      headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
    });
  return {
    ...parts,
    call,
    async callWhile(status, path, token) {
      for (;;) {
        const answer = await call(path, token);
        if (answer.status !== status) return answer;
        await pause(LOOK_MS);
      }
    },
    close,
  };
}

/** Returns how to change a configuration of the guide: the addresses, and what a test changes besides. */
function configureFor(
  guard: Guard,
  applicationPort: number,
  guardPort: number,
  change: (text: string) => string,
): Configure {
  return (printed, replacements) => {
    const all = {
      ...replacements,
      '127.0.0.1:5000': `127.0.0.1:${applicationPort}`,
      '127.0.0.1:8081': `127.0.0.1:${guardPort}`,
      ...(guard === 'forward-auth' && { '/verify': '/api/forward-auth' }),
    };
    const text = Object.entries(all).reduce((former, [text, own]) => {
      assert.ok(former.includes(text), `the guide has ${text}`);
      return former.replaceAll(text, own);
    }, printed);
    return change(text);
  };
}
