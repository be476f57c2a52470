// PLACEHOLDER
export function AccountPage() {
  return null;
}
