// A browser application of Angular with angular-auth-oidc-client, which also answers in the frame of a silent renewal.
import '@angular/compiler';
import { provideHttpClient } from '@angular/common/http';
import { provideZonelessChangeDetection } from '@angular/core';
import { createApplication } from '@angular/platform-browser';
import { provideRouter } from '@angular/router';
import { OidcSecurityService, type OpenIdConfiguration, provideAuth } from 'angular-auth-oidc-client';
import { firstValueFrom } from 'rxjs';

// What its page for the frame does.
if (location.pathname === '/silent') {
  parent.dispatchEvent(new CustomEvent('oidc-silent-renew-message', { detail: location.href }));
}

/** Starts the application. `state`: what it knows from its storage and from the address of the page. */
export async function start(config: OpenIdConfiguration) {
  const { injector } = await createApplication({
    providers: [
      provideZonelessChangeDetection(),
      provideHttpClient(),
      provideRouter([]),
      provideAuth({ config: { secureRoutes: [], ...config } }),
    ],
  });
  const oidc = injector.get(OidcSecurityService);
  const state = await firstValueFrom(oidc.checkAuth());
  return {
    state,
    signIn: () => oidc.authorize(),
    renew: () => firstValueFrom(oidc.forceRefreshSession()),
    refreshToken: () => firstValueFrom(oidc.getRefreshToken()),
    signOut: () => firstValueFrom(oidc.logoffAndRevokeTokens()),
  };
}

Object.assign(globalThis, { start });
