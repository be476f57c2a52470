// Cultures: which of the languages of the pages a request asks for, in the ways in which ABP's clients ask.

/** A language as ABP describes it. */
export type Language = { readonly name: string; readonly displayName: string; readonly icon: string };

export const languages: readonly [Language, ...Language[]] = [
  { name: 'en', displayName: 'English', icon: 'famfamfam-flags gb' },
  { name: 'de', displayName: 'Deutsch', icon: 'famfamfam-flags de' },
  { name: 'fr', displayName: 'Français', icon: 'famfamfam-flags fr' },
];

/** The value of a cookie. */
function readCookie(cookies: string | undefined, name: string): string | undefined {
  const pair = cookies?.split(/; */).find((one) => one.startsWith(`${name}=`));
  const value = pair?.slice(name.length + 1);
  try {
    return value === undefined ? undefined : decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

/** The languages of an `Accept-Language` header, the most wanted first (RFC 9110, 12.5.4). */
function readAccepted(header: string | undefined): string[] {
  const wanted = (header ?? '').split(',').map((part) => {
    const [tag = '', ...parameters] = part.trim().split(';');
    const weight = parameters.map((one) => /^ *q=([01](?:\.\d{1,3})?) *$/.exec(one)?.[1]).find(Boolean);
    return { tag, weight: Number(weight ?? 1) };
  });
  return wanted
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}

/** `c=de|uic=de`, as ASP.NET Core writes it, or a bare tag. */
const readCulture = (text: string | undefined): string[] => {
  const parts = (text ?? '').split('|').map((part) => /^(?:(uic|c)=)?([A-Za-z-]{2,20})$/.exec(part.trim()));
  const found = parts.flatMap((match) => (match ? [{ isOfPages: match[1] === 'uic', tag: match[2] ?? '' }] : []));
  return found.toSorted((a, b) => Number(b.isOfPages) - Number(a.isOfPages)).map(({ tag }) => tag);
};

/**
 * The language that a request asks for: by the header `.aspnetcore.culture`, ABP's cookie, ASP.NET Core's cookie, or
 * `Accept-Language`, in this order; English when none of them names a language of the pages.
 */
export function chooseLanguage(header: (name: string) => string | undefined): Language {
  const cookies = header('cookie');
  const wanted = [
    ...readCulture(header('.aspnetcore.culture')),
    ...readCulture(readCookie(cookies, 'Abp.Localization.CultureName')),
    ...readCulture(readCookie(cookies, '.AspNetCore.Culture')),
    ...readAccepted(header('accept-language')),
  ];
  const [english] = languages;
  for (const tag of wanted) {
    const [primary = ''] = tag.toLowerCase().split('-');
    const known = languages.find(({ name }) => name === primary);
    if (known) return known;
  }
  return english;
}
