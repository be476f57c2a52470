// The download of everything that is stored about a person, as a JSON file.
import { latchkey } from '../api/latchkey.ts';
import { saveFile } from '../ui/download.ts';

/** Saves the data of an account. @param userId the account of another person; without it, the own one. */
export async function savePerson(fileName: string, userId?: number): Promise<void> {
  const person = await latchkey.call('User/ExportPerson', userId === undefined ? {} : { userId });
  saveFile(new Blob([JSON.stringify(person, null, 2)], { type: 'application/json' }), fileName);
}
