// The fragment of a mailed link, or the response of a provider in the fragment or query. It is removed from the address
// bar before anything else runs. Fragment and query are never merged: an attacker could add a member of another response.
import { pagePath } from '../api/base-path.ts';

function take(): URLSearchParams {
  const { pathname, search, hash } = location;
  const isAnswer = pagePath().startsWith('/login/external/') && hasAnswer(search + hash);
  // Facebook adds the fragment #_=_ to an answer in the query.
  const members = new URLSearchParams(isAnswer && !hasAnswer(hash) ? search : hash.slice(1));
  if (hash !== '' || isAnswer) history.replaceState(history.state, '', pathname + (isAnswer ? '' : queryOf(members)));
  return members;
}

const hasAnswer = (text: string) => /[?&#](state|code|error)=/.test(text);

/** A mailed link names the front end in its fragment. The query keeps it, also after a reload. */
function queryOf(members: URLSearchParams): string {
  const query = new URLSearchParams(location.search);
  const frontEnd = members.get('frontEnd');
  if (frontEnd !== null) query.set('frontEnd', frontEnd);
  return query.size > 0 ? `?${query}` : '';
}

/** The members. Empty after a reload: they are not stored. */
export const fragment = take();

// A second link in the same tab only changes the fragment, so reload the page.
addEventListener('hashchange', () => location.reload());
