// Calls as the Angular proxies make them that NSwag generates for ABP's templates: names of query parameters in
// PascalCase, bodies as text, answers as blobs, an exception for every other status.
import { type HttpClient, HttpErrorResponse, HttpHeaders, type HttpResponse } from '@angular/common/http';
import { catchError, firstValueFrom, type Observable, of } from 'rxjs';

type Verb = 'get' | 'post' | 'put' | 'delete';
type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** Which calls each generated proxy has: verb, and whether its input is a query or a body. */
const proxies = {
  Account: { IsTenantAvailable: 'post' },
  Role: {
    Create: 'post',
    GetRoles: 'get',
    Update: 'put',
    Delete: 'delete',
    GetAllPermissions: 'get',
    GetRoleForEdit: 'get',
    Get: 'get',
    GetAll: 'get',
  },
  Session: { GetCurrentLoginInformations: 'get' },
  User: {
    Create: 'post',
    Update: 'put',
    Delete: 'delete',
    Activate: 'post',
    DeActivate: 'post',
    GetRoles: 'get',
    ChangeLanguage: 'post',
    ChangePassword: 'post',
    ResetPassword: 'post',
    Get: 'get',
    GetAll: 'get',
  },
} satisfies Record<string, Record<string, Verb>>;

/** A call that the service refused, as NSwag's `ApiException`. */
export class ApiException extends Error {
  readonly status: number;
  readonly response: string;

  constructor(status: number, response: string) {
    super('An unexpected server error occurred.');
    this.status = status;
    this.response = response;
  }
}

function toQueryString(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const parts = given.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(`${value}`)}`);
  return parts.length > 0 ? `?${parts.join('&')}` : '';
}

/** Makes one call as a generated proxy does. @throws ApiException for any status but 200 and 204. */
async function request(http: HttpClient, verb: Verb, url: string, input: object = {}): Promise<unknown> {
  const hasBody = verb === 'post' || verb === 'put';
  const headers: Record<string, string> = { Accept: 'text/plain' };
  if (hasBody) headers['Content-Type'] = 'application/json';
  const answer: Observable<HttpResponse<Blob> | HttpErrorResponse> = http
    .request(verb, hasBody ? url : url + toQueryString(input as Query), {
      ...(hasBody && { body: JSON.stringify(input) }),
      observe: 'response',
      responseType: 'blob',
      headers: new HttpHeaders(headers),
    })
    .pipe(catchError((error: HttpErrorResponse) => of(error)));
  const response = await firstValueFrom(answer);
  const blob = response instanceof HttpErrorResponse ? response.error : response.body;
  const text = blob instanceof Blob ? await blob.text() : '';
  if (response.status !== 200 && response.status !== 204) throw new ApiException(response.status, text);
  return text === '' ? null : JSON.parse(text);
}

/** The proxies of one service. */
export function createServiceProxies(http: HttpClient, baseUrl: string) {
  return {
    authenticate: (model: object) => request(http, 'post', `${baseUrl}/api/TokenAuth/Authenticate`, model),
    /** @param name of the proxy and of its method, such as `User/GetAll`. */
    call(name: string, input?: object) {
      const [service = '', method = ''] = name.split('/');
      const verbs: Record<string, Record<string, Verb>> = proxies;
      const verb = verbs[service]?.[method];
      if (!verb) throw new Error(`The template has no proxy for ${name}.`);
      return request(http, verb, `${baseUrl}/api/services/app/${service}/${method}`, input);
    },
  };
}
