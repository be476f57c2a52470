// What is used of Next.js and React, which the application brings.
declare module 'next/headers' {
  type CookieOptions = { path: string; httpOnly: boolean; sameSite: 'lax'; secure: boolean; maxAge?: number };
  export function headers(): Promise<Headers>;
  export function cookies(): Promise<{ set(name: string, value: string, options: CookieOptions): unknown }>;
}

declare module 'next/navigation' {
  export function redirect(path: string): never;
}

declare module 'next/server' {
  export const NextResponse: { next(init: { request: { headers: Headers } }): Response };
}
