// The client of ABP's Angular template: Angular's HTTP client with the interceptor and services of `abp-ng2-module`, and
// the `abp` object of `abp-web-resources`, which the page loads as a script before this one.
import '@angular/compiler';
import { HTTP_INTERCEPTORS, HttpClient, provideHttpClient, withInterceptorsFromDi } from '@angular/common/http';
import { provideZonelessChangeDetection } from '@angular/core';
import { createApplication } from '@angular/platform-browser';
import {
  AbpHttpInterceptor,
  AbpMultiTenancyService,
  AbpSessionService,
  LocalizationService,
  PermissionCheckerService,
  SettingService,
  TokenService,
} from 'abp-ng2-module';
import { firstValueFrom } from 'rxjs';
import { createServiceProxies } from './service-proxies.ts';

/** The part of the global object `abp` that the template's start uses. */
type Abp = {
  auth: { getToken(): string | null };
  clock: { provider: unknown };
  event: { trigger(name: string): void };
  multiTenancy: { getTenantIdCookie(): number | null };
  timing: Record<string, unknown>;
  utils: { getCookieValue(name: string): string | null };
};
declare const abp: Abp;

type Tree = Record<string, unknown>;

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Merges at every level, as lodash's `merge` does for the template. */
function merge(target: Tree, source: Tree): void {
  for (const [name, value] of Object.entries(source)) {
    const there = target[name];
    if (isTree(value) && isTree(there)) merge(there, value);
    else target[name] = value;
  }
}

/** Starts the client against a service, in the template's order: configuration, clock, session. */
export async function start(baseUrl: string) {
  const { injector } = await createApplication({
    providers: [
      provideZonelessChangeDetection(),
      provideHttpClient(withInterceptorsFromDi()),
      { provide: HTTP_INTERCEPTORS, useClass: AbpHttpInterceptor, multi: true },
    ],
  });
  const http = injector.get(HttpClient);
  const proxies = createServiceProxies(http, baseUrl);
  const tokens = injector.get(TokenService);

  const culture = abp.utils.getCookieValue('Abp.Localization.CultureName');
  const token = abp.auth.getToken();
  const headers = {
    'Abp.TenantId': `${abp.multiTenancy.getTenantIdCookie()}`,
    '.AspNetCore.Culture': `c=${culture}|uic=${culture}`,
    ...(token && { Authorization: `Bearer ${token}` }),
  };
  const configuration = await firstValueFrom(
    http.get<{ result: Tree & { clock: { provider: string } } }>(`${baseUrl}/AbpUserConfiguration/GetAll`, { headers }),
  );
  merge(abp as unknown as Tree, configuration.result);
  abp.clock.provider = abp.timing[configuration.result.clock.provider];
  abp.event.trigger('abp.dynamicScriptsInitialized');
  const session = await proxies.call('Session/GetCurrentLoginInformations');

  return {
    session,
    call: proxies.call,
    /** Signs in and keeps the token in the cookie that the template keeps it in. */
    async signIn(userNameOrEmailAddress: string, password: string) {
      const model = { userNameOrEmailAddress, password, rememberClient: false };
      const result = (await proxies.authenticate(model)) as { accessToken: string; expireInSeconds: number };
      tokens.setToken(result.accessToken, new Date(Date.now() + 1000 * result.expireInSeconds));
      return result;
    },
    signOut: () => tokens.clearToken(),
    isGranted: (name: string) => injector.get(PermissionCheckerService).isGranted(name),
    setting: (name: string) => injector.get(SettingService).get(name),
    userId: () => injector.get(AbpSessionService).userId,
    hasTenants: () => injector.get(AbpMultiTenancyService).isEnabled,
    language: () => injector.get(LocalizationService).currentLanguage.name,
  };
}

Object.assign(globalThis, { start });
