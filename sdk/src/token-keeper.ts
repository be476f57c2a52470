// The token of this browser, in one of two places: `localStorage`, where it outlives the browser, or a copy in the
// `sessionStorage` of each tab, where it does not. A tab sends its copy when another tab asks.
import { hasPage } from './page-events.ts';
import { createSharedState, type HeldToken, type KeyValueStore, type SharedState } from './shared-state.ts';

/** Where a token is kept: `local` until it expires, `session` until the browser closes. */
export type TokenPlace = 'local' | 'session';

/** A message between tabs: a request for the token with this id, a token, or the notice of a new tab with a token. */
type Message = { readonly ask: string } | { readonly give: HeldToken } | { readonly here: true };

/** How long a request waits for an answer. */
const ANSWER_MS = 300;

export interface TokenKeeper {
  /** Returns the token that all tabs use now, expired or not. Null when signed out, or while {@link isMissing}. */
  read(): HeldToken | null;
  /**
   * Replaces the token of all tabs. Null removes it everywhere. @returns whether the storage has taken it. If it has not, the token is in
   * the memory of this page.
   */
  write(token: HeldToken | null, place: TokenPlace): boolean;
  /** Where the current token is kept. */
  readonly place: TokenPlace;
  /** Whether other tabs have a token that this tab does not have, and has not given up on. */
  isMissing(): boolean;
  /** Asks the other tabs for the missing token, up to `tries` times. Gives up when no tab answers. */
  ask(tries: number): Promise<void>;
  close(): void;
}

/** @param own the storage of this tab. @param scope separates clients of different services on one origin. */
export function createTokenKeeper(shared: SharedState, own: KeyValueStore | undefined, scope: string): TokenKeeper {
  const tab = createSharedState(own, scope);
  let channel: BroadcastChannel | undefined;
  /** A token from another tab. It may arrive before the mark with its id. */
  let received: HeldToken | null = null;
  let onReceived = () => {};
  /** Whether another tab has asked or answered. */
  let hasPeers = false;
  let gaveUpOn: string | undefined;
  let asking: Promise<void> | undefined;

  function read(): HeldToken | null {
    const mark = shared.read('token') ? null : shared.read('mark');
    if (!mark) {
      // Another tab has signed off or replaced the token, perhaps while this tab was suspended.
      received = null;
      if (tab.read('copy')) tab.write('copy', null);
      return shared.read('token');
    }
    openChannel();
    const copy = tab.read('copy');
    if (copy?.id === mark.id) return copy;
    if (received?.id !== mark.id) return null;
    tab.write('copy', received);
    return received;
  }

  function isMissing(): boolean {
    if (read()) return false;
    const mark = shared.read('mark');
    return mark !== null && mark.id !== gaveUpOn && Date.now() < mark.expiresAt;
  }

  /** Opens the channel once a token is kept in copies: some browsers do not cache pages with an open channel. */
  function openChannel(): void {
    if (channel || !hasPage()) return;
    try {
      channel = new BroadcastChannel(`latchkey:${scope}`);
    } catch {
      // Old browsers have no channels, and some deny them where they deny storage. Each tab is then on its own.
      return;
    }
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      hasPeers = true;
      if ('give' in data) {
        received = data.give;
        onReceived();
      } else if ('here' in data) {
        if (!read()) post({ ask: shared.read('mark')?.id ?? '' });
      } else {
        const token = read();
        if (token?.id === data.ask) post({ give: token });
      }
    };
    // Other tabs may have asked while this tab was loading.
    if (tab.read('copy')) post({ here: true });
  }
  const post = (message: Message) => channel?.postMessage(message);

  async function askTabs(tries: number): Promise<void> {
    for (let left = tries; left > 0 && isMissing(); left -= 1) {
      const arrival = new Promise<void>((resolve) => {
        onReceived = resolve;
        setTimeout(resolve, ANSWER_MS);
      });
      post({ ask: shared.read('mark')?.id ?? '' });
      await arrival;
    }
    if (!isMissing()) return;
    gaveUpOn = shared.read('mark')?.id;
    tab.write('copy', null);
  }

  read();
  return {
    read,
    write(token, place) {
      received = null;
      const isCopied = token !== null && place === 'session';
      const isCopyKept = tab.write('copy', isCopied ? token : null);
      if (!isCopied) {
        const isKept = shared.write('token', token);
        shared.write('mark', null);
        return isKept;
      }
      const isMarkKept = shared.write('mark', { id: token.id, expiresAt: token.expiresAt });
      shared.write('token', null);
      openChannel();
      // A suspended tab may resume after this one has closed. Do not send the token before another tab has sent a message.
      if (hasPeers) post({ give: token });
      return isCopyKept && isMarkKept;
    },
    get place() {
      return shared.read('mark') && !shared.read('token') ? 'session' : 'local';
    },
    isMissing,
    ask(tries) {
      asking ??= askTabs(tries).finally(() => {
        asking = undefined;
      });
      return asking;
    },
    close: () => channel?.close(),
  };
}

/** `crypto.randomUUID` exists only in secure contexts (https, or the local machine). */
export const createId = () => crypto.getRandomValues(new Uint32Array(4)).join('-');
