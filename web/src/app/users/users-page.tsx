// PLACEHOLDER
export function UsersPage() {
  return null;
}
