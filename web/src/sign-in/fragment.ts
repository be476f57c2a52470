// What a mailed link has brought behind its `#`: taken out of the address bar before anything else is done.

function take(): URLSearchParams {
  const given = new URLSearchParams(location.hash.slice(1));
  if (location.hash !== '') history.replaceState(history.state, '', location.pathname + location.search);
  return given;
}

/** Empty once the page was loaded again: it is kept nowhere. */
export const fragment = take();

// Another link that is opened in the same tab begins anew.
addEventListener('hashchange', () => location.reload());
