// What a mailed link has brought behind its `#`, and a provider also behind the `?`: taken out of the address bar before
// anything else is done.

function take(): URLSearchParams {
  const { pathname, search, hash } = location;
  const isAnswer = pathname === '/login/external' && /[?&#](state|code|error)=/.test(search + hash);
  if (hash !== '' || isAnswer) history.replaceState(history.state, '', pathname + (isAnswer ? '' : search));
  return new URLSearchParams(isAnswer ? `${hash.slice(1)}&${search.slice(1)}` : hash.slice(1));
}

/** Empty once the page was loaded again: it is kept nowhere. */
export const fragment = take();

// Another link that is opened in the same tab begins anew.
addEventListener('hashchange', () => location.reload());
