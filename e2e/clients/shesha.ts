// The calls of Shesha's React client, with its library for requests and its headers: sign-in, session, settings, pins.
import axios, { isAxiosError } from 'axios';

/** The name under which Shesha's client keeps its token. */
const TOKEN_NAME = 'xDFcxiooPQxazdndDsdRSerWQPlincytLDCarcxVxv';

type Envelope = {
  readonly success: boolean;
  readonly result: never;
  readonly error: { readonly message: string; readonly details: string; readonly code: number };
};
type Token = { readonly accessToken: string; readonly expireInSeconds: number; readonly expireOn: string };

/** Starts the client of the front end `appKey` against a service. */
export function start(baseURL: string, appKey = 'default-app') {
  function readToken(): Token | null {
    const token: Token | null = JSON.parse(atob(localStorage.getItem(TOKEN_NAME) ?? '') || 'null');
    return token && new Date(token.expireOn) > new Date() ? token : null;
  }
  const keepToken = ({ accessToken, expireInSeconds, expireOn }: Token) => {
    const stored = JSON.stringify({ accessToken, expireInSeconds, expireOn, nonce: crypto.randomUUID() });
    localStorage.setItem(TOKEN_NAME, btoa(stored));
  };
  const headers = () => ({
    ...(readToken() && { Authorization: `Bearer ${readToken()?.accessToken}` }),
    '.AspNetCore.Culture': navigator.language,
    'sha-frontend-application': appKey,
  });
  /** Returns the result, or what the client shows for a refusal. */
  async function extract(answer: Promise<{ data: Envelope }>): Promise<unknown> {
    try {
      return (await answer).data.result;
    } catch (error) {
      if (!isAxiosError(error) || !error.response) throw error;
      const { message, details } = error.response.data.error;
      return { status: error.response.status, message, details };
    }
  }
  const get = (url: string) => extract(axios.get(url, { baseURL, headers: headers() }));
  const post = (url: string, body?: object) => extract(axios.post(url, body, { baseURL, headers: headers() }));

  return {
    get,
    post,
    async signIn(userNameOrEmailAddress: string, password: string) {
      const result = (await post('/api/TokenAuth/Authenticate', {
        userNameOrEmailAddress,
        password,
        imei: null,
      })) as Token;
      if (result.accessToken) keepToken(result);
      return result;
    },
    async refresh() {
      const result = (await post('/api/TokenAuth/RefreshToken')) as Token;
      if (result.accessToken) keepToken(result);
      return result;
    },
    /** The client forgets its token first, and sends it once more. */
    async signOut() {
      const Authorization = `Bearer ${readToken()?.accessToken}`;
      localStorage.removeItem(TOKEN_NAME);
      return extract(axios.post('/api/TokenAuth/SignOff', {}, { baseURL, headers: { ...headers(), Authorization } }));
    },
    /** Reads a setting by accessors, as scripts of forms do. */
    async setting(module: string, category: string, accessor: string) {
      type Configuration = Record<'module' | 'category', { name: string; accessor: string }> & {
        name: string;
        accessor: string;
        dataType: { dataType: string };
      };
      const all = (await get('/api/services/app/Settings/GetConfigurations')) as Configuration[];
      const found = all.find(
        (one) => one.module.accessor === module && one.category.accessor === category && one.accessor === accessor,
      );
      if (!found) return undefined;
      const { name, dataType } = found;
      const query = new URLSearchParams({ module: found.module.name, name });
      return { name, type: dataType.dataType, value: await get(`/api/services/app/Settings/GetValue?${query}`) };
    },
  };
}

Object.assign(globalThis, { start });
