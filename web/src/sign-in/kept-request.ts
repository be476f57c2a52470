// The request of an application over a mailed link, which opens in another tab: this browser keeps which one the link is for.

const KEY = 'latchkey::mailed-request';
const QUERY = 'authorization';

/** The service forgets a request after ten minutes. */
const MAX_AGE_MS = 600_000;

const readKept = (): { id: string; at: number } | null => JSON.parse(localStorage.getItem(KEY) ?? 'null');

/** Keeps the request of this page, if there is one, for the link that the service mails now. Another mail makes it no younger. */
export function keepRequest(): void {
  const id = new URLSearchParams(location.search).get(QUERY);
  try {
    if (id === null) localStorage.removeItem(KEY);
    else if (readKept()?.id !== id) localStorage.setItem(KEY, JSON.stringify({ id, at: Date.now() }));
  } catch {
    // Without storage, the link leads to this service.
  }
}

/** Adds the kept request to the query of this page, which a mailed link has opened. The request needs its cookie too. */
export function addKeptRequest(): void {
  const query = new URLSearchParams(location.search);
  try {
    const kept = readKept();
    if (!kept || Date.now() - kept.at > MAX_AGE_MS || query.has(QUERY)) return;
    query.set(QUERY, kept.id);
    history.replaceState(history.state, '', `${location.pathname}?${query}`);
  } catch {
    // As without a request.
  }
}
