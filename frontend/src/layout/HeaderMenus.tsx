import { LocaleMenu } from './LocaleMenu';
import { ThemeMenu } from './ThemeMenu';

/** What is chosen once in a while. */
export function HeaderMenus() {
  return (
    <>
      <LocaleMenu />
      <ThemeMenu />
    </>
  );
}
