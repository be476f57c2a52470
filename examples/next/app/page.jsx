// app/page.jsx
export default () => <a href="/auth/sign-in?returnTo=/orders">Sign in</a>;
