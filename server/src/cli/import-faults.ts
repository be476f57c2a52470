// Why the files of an import are refused as a whole, as sentences that say what to do.
import type { FileRefused, UserFilesFault } from 'latchkey-user-files';

const list = (names: readonly string[]) => names.map((name) => JSON.stringify(name.slice(0, 60))).join(', ');

/** Returns one line about the fault of a file. */
export function describeFault({ file, fault }: FileRefused<UserFilesFault>): string {
  switch (fault.why) {
    case 'empty':
      return `${file} has no users. Export them again, and give that file.`;
    case 'spreadsheet':
      return `${file} is a workbook of a spreadsheet. Save it as "CSV UTF-8", and import that.`;
    case 'archive':
      return `${file} is a ZIP archive. Unpack it, and import the file in it.`;
    case 'database':
      return `${file} is a database of SQLite. Export the table of the users as CSV: sqlite3 -header -csv FILE 'select * from users'.`;
    case 'sql':
      return `${file} has statements of SQL. Export the table of the users as CSV or JSON.`;
    case 'yaml':
      return `${file} is YAML. Give CSV or JSON. Authelia exports authenticator apps as CSV: authelia storage user totp export csv.`;
    case 'xml':
    case 'pdf':
      return `${file} is ${fault.why.toUpperCase()}. Give CSV or JSON.`;
    case 'binary':
      return `${file} is no text. Give CSV or JSON.`;
    case 'repeated':
      return `${file} has more than one column with the name ${list(fault.columns)}. Rename or remove all but one of them.`;
    case 'otherFormat':
      return `${file} has no users of ${fault.title}${fault.looksLike ? `: it looks like ${fault.looksLike}` : ''}. Choose another system with --from, or leave it out.`;
    case 'mixed':
      return `The files ${file} are of several systems: ${fault.titles.join(', ')}. Import one after the other.`;
    case 'noUsers':
      return `${file} has no column of a user name or e-mail address. Name one of them userName, or choose the system with --from.`;
  }
}
