// The token of this browser, in one of two places: `localStorage`, where it outlives the browser, or a copy in the
// `sessionStorage` of each tab, where it does not. Tabs hand their copies on when another tab asks.
import { createSharedState, type HeldToken, type KeyValueStore, type SharedState } from './shared-state.ts';

/** Where a token is kept: `local` until it expires, `session` until the browser is closed. */
export type TokenPlace = 'local' | 'session';

/** Between tabs: a request for the token with this id, a token, or that a tab which has one is there now. */
type Message = { readonly ask: string } | { readonly give: HeldToken } | { readonly here: true };

/** How long one request waits for an answer. */
const ANSWER_MS = 300;

export interface TokenKeeper {
  /** The token that all tabs use now, expired or not. Null when signed out, or while {@link isAway}. */
  read(): HeldToken | null;
  /** Replaces the token for all tabs; null removes it everywhere. */
  write(token: HeldToken | null, place: TokenPlace): void;
  /** Where the present token is kept. */
  readonly place: TokenPlace;
  /** Whether other tabs have a token that this tab does not have, and has not given up on. */
  isAway(): boolean;
  /** Asks the other tabs for the token that is away, this often; gives up when none answers. */
  fetch(tries: number): Promise<void>;
  close(): void;
}

/** @param own what only this tab reads. @param scope holds clients of different services on one origin apart. */
export function createTokenKeeper(shared: SharedState, own: KeyValueStore, scope: string): TokenKeeper {
  const tab = createSharedState(own, scope);
  let channel: BroadcastChannel | undefined;
  /** A token that arrived, perhaps before the mark that names it. */
  let given: HeldToken | null = null;
  let onGiven = () => {};
  /** Whether another tab has asked or answered. */
  let hasCompany = false;
  let gaveUpOn: string | undefined;
  let fetching: Promise<void> | undefined;

  function read(): HeldToken | null {
    const mark = shared.read('token') ? null : shared.read('mark');
    if (!mark) {
      // Signed off or replaced, perhaps while this tab slept.
      given = null;
      if (tab.read('copy')) tab.write('copy', null);
      return shared.read('token');
    }
    open();
    const copy = tab.read('copy');
    if (copy?.id === mark.id) return copy;
    if (given?.id !== mark.id) return null;
    tab.write('copy', given);
    return given;
  }

  function isAway(): boolean {
    if (read()) return false;
    const mark = shared.read('mark');
    return mark !== null && mark.id !== gaveUpOn && Date.now() < mark.expiresAt;
  }

  /** Only once a token is kept this way: pages with an open channel are left out of some browsers' caches. */
  function open(): void {
    if (channel || typeof BroadcastChannel === 'undefined') return;
    channel = new BroadcastChannel(`latchkey:${scope}`);
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      hasCompany = true;
      if ('give' in data) {
        given = data.give;
        onGiven();
      } else if ('here' in data) {
        if (!read()) post({ ask: shared.read('mark')?.id ?? '' });
      } else {
        const token = read();
        if (token?.id === data.ask) post({ give: token });
      }
    };
    // A tab that was loading when others asked.
    if (tab.read('copy')) post({ here: true });
  }
  const post = (message: Message) => channel?.postMessage(message);

  async function ask(tries: number): Promise<void> {
    for (let left = tries; left > 0 && isAway(); left -= 1) {
      const arrival = new Promise<void>((resolve) => {
        onGiven = resolve;
        setTimeout(resolve, ANSWER_MS);
      });
      post({ ask: shared.read('mark')?.id ?? '' });
      await arrival;
    }
    if (!isAway()) return;
    gaveUpOn = shared.read('mark')?.id;
    tab.write('copy', null);
  }

  read();
  return {
    read,
    write(token, place) {
      given = null;
      const isCopied = token !== null && place === 'session';
      tab.write('copy', isCopied ? token : null);
      if (!isCopied) {
        shared.write('token', token);
        shared.write('mark', null);
        return;
      }
      shared.write('mark', { id: token.id, expiresAt: token.expiresAt });
      shared.write('token', null);
      open();
      // A tab that sleeps now may wake when this one is gone. No tab sends its token before another one has spoken.
      if (hasCompany) post({ give: token });
    },
    get place() {
      return shared.read('mark') && !shared.read('token') ? 'session' : 'local';
    },
    isAway,
    fetch(tries) {
      fetching ??= ask(tries).finally(() => {
        fetching = undefined;
      });
      return fetching;
    },
    close: () => channel?.close(),
  };
}
