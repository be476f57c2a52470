// PLACEHOLDER
export function SettingsPage() {
  return null;
}
