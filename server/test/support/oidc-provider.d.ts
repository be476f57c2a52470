// The types of oidc-provider that the tests use; the package has none.
declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

  type Grant = { addOIDCScope(scope: string): void; addOIDCClaims(names: string[]): void; save(): Promise<string> };

  type InteractionDetails = {
    prompt: { name: string; details: { missingOIDCScope?: string[]; missingOIDCClaims?: string[] } };
    params: { client_id: string };
    session?: { accountId: string };
  };

  export class Provider {
    constructor(issuer: string, configuration: Readonly<Record<string, unknown>>);
    readonly Grant: new (of: {
      accountId: string;
      clientId: string;
    }) => Grant;
    readonly Client: { find(id: string): Promise<{ readonly clientId: string } | undefined> };
    readonly AuthorizationCode: new (
      of: object,
    ) => { save(): Promise<string> };
    readonly RefreshToken: new (of: {
      accountId: string;
      client: object;
      grantId: string;
      gty: string;
      scope: string;
    }) => { save(): Promise<string> };
    callback(): RequestListener;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<InteractionDetails>;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
  }
}
