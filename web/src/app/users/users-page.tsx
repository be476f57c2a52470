// The page of one account, of a new account, or of an import, depending on the path.
import { useParams } from 'react-router';
import { lazyPart, ownStyles } from '../lazy-part.ts';
import { NotFoundPage } from '../other-pages.tsx';
import { CreatePage } from './create-page.tsx';
import { UserPage } from './user-page.tsx';

/** Few open it, and it loads the reader of CSV. */
const ImportPage = lazyPart(async () => (await import('./import/import-page.tsx')).ImportPage, ownStyles);

/** No account has it. The service would refuse 0 as no id at all. */
const UNKNOWN_ID = Number.MAX_SAFE_INTEGER;

export function UsersPage() {
  const { id = '' } = useParams();
  if (id === 'import') return <ImportPage />;
  if (id === 'new') return <CreatePage />;
  return /^\d{1,15}$/.test(id) ? <UserPage key={id} id={Number(id) || UNKNOWN_ID} /> : <NotFoundPage />;
}
