// What a mailed link has brought behind its `#`, and a provider there or behind the `?`: taken out of the address bar
// before anything else is done. What came in one of these places is never joined with what came in the other: of two
// answers that were laid over each other, one may be meant for somebody else.

function take(): URLSearchParams {
  const { pathname, search, hash } = location;
  const isAnswer = pathname.startsWith('/login/external/') && /[?&#](state|code|error)=/.test(search + hash);
  if (hash !== '' || isAnswer) history.replaceState(history.state, '', pathname + (isAnswer ? '' : search));
  return new URLSearchParams(isAnswer && hash === '' ? search : hash.slice(1));
}

/** Empty once the page was loaded again: it is kept nowhere. */
export const fragment = take();

// Another link that is opened in the same tab begins anew.
addEventListener('hashchange', () => location.reload());
