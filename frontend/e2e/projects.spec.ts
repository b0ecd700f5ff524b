// Projects: the list, creating, editing, removing, and servers without projects.

import type { Project } from '../src/api/generated/types';
import { expect, test } from './support/fixtures';
import type { Flags } from './support/flags';
import type { Ui } from './support/ui';

const WEB = { id: 'web', name: 'Web', description: 'What visitors see' };

async function projectsOf(flags: Flags): Promise<Project[]> {
  return (await flags.get<{ projects: Project[] }>('admin/projects')).projects;
}

function idField(ui: Ui) {
  return ui.page.getByLabel('Project id');
}

test.describe('on a server with projects', { tag: '@embedded' }, () => {
  test('lists projects as a beta feature, with their toggles, and is not in the menu [S2-019] [S3-017] [S7-053]', async ({
    page,
    ui,
    flags,
  }) => {
    await flags.post('admin/projects', WEB);
    await flags.create({ name: 'shop.basket' }, { name: 'shop.page', project: 'web' });
    await page.goto('features');
    await ui.main.getByRole('button', { name: 'Actions for the list' }).click();
    await page.getByRole('menuitem', { name: 'Projects' }).click();
    await expect(page).toHaveTitle('Projects - Flagdeck');
    await expect(ui.main).toContainText('Beta');
    await expect(ui.menu.getByRole('link', { name: 'Projects' })).toHaveCount(0);
    await expect(ui.row('Web')).toContainText('What visitors see');
    await expect(ui.row('Default')).toContainText('1 toggle');
    await ui.row('Web').getByRole('link', { name: '1 toggle' }).click();
    await ui.expectNames('shop.page');
  });

  test('creates a project and validates its id on the server when the field loses focus [S2-020] [S2-097] [S5-027] [S5-023] [S7-054] [S7-056]', async ({
    page,
    ui,
    flags,
  }) => {
    await page.goto('projects');
    await ui.main.getByRole('link', { name: 'New project' }).click();
    await expect(page).toHaveURL(/\/projects\/create$/);
    await expect(page).toHaveTitle('Create - Projects - Flagdeck');
    const validated = page.waitForRequest('**/api/admin/projects/validate');
    await idField(ui).fill('default');
    await idField(ui).blur();
    expect((await validated).postDataJSON()).toEqual({ id: 'default' });
    await expect(idField(ui)).toHaveAccessibleDescription(/already exists/);
    await page.getByLabel('Name').fill(' Web ');
    await page.getByLabel('Description').fill(' What visitors see');
    await page.getByRole('button', { name: 'Create' }).click();
    await expect(page).toHaveURL(/\/projects\/create$/);
    await idField(ui).fill('');
    await idField(ui).pressSequentially(' w eb ');
    await page.getByRole('button', { name: 'Create' }).click();
    await expect(page).toHaveURL(/\/projects$/);
    await expect(ui.row('Web')).toContainText('web');
    expect(await projectsOf(flags)).toContainEqual(expect.objectContaining(WEB));
  });

  test('edits a project with a fixed id and keeps changes of other users [S2-020] [S5-027] [S7-055]', async ({
    page,
    ui,
    flags,
  }) => {
    await flags.post('admin/projects', WEB);
    await page.goto('projects');
    await ui.row('Web').getByRole('link', { name: 'Edit web' }).click();
    await expect(page).toHaveURL(/\/projects\/edit\/web$/);
    await expect(idField(ui)).toHaveValue('web');
    await expect(idField(ui)).not.toBeEditable();
    await page.getByLabel('Name').fill('The web');
    await flags.put('admin/projects/web', { ...WEB, description: 'Theirs' });
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page).toHaveURL(/\/projects$/);
    const stored = { id: 'web', name: 'The web', description: 'Theirs' };
    expect(await projectsOf(flags)).toContainEqual(expect.objectContaining(stored));
  });

  test('removes a project after confirmation, unless it has active toggles or is the default [S8-040] [S8-024] [S7-055]', async ({
    page,
    ui,
    flags,
  }) => {
    await flags.post('admin/projects', WEB);
    await flags.create({ name: 'shop.page', project: 'web' });
    await page.goto('projects');
    await expect(ui.row('Default').getByRole('button', { name: 'Remove default' })).toBeDisabled();
    const remove = ui.row('Web').getByRole('button', { name: 'Remove web' });
    await remove.click();
    await expect(ui.dialog).toContainText('Are you sure you want to remove this project?');
    await ui.dialog.getByRole('button', { name: 'Remove' }).click();
    await expect(ui.dialog.getByRole('alert')).toContainText('still has active toggles: 1');
    await ui.dialog.getByRole('button', { name: 'Cancel' }).click();
    await flags.archive('shop.page');
    await remove.click();
    await ui.dialog.getByRole('button', { name: 'Remove' }).click();
    await expect(ui.row('Web')).toHaveCount(0);
    await expect(page.getByRole('heading', { name: 'Projects' })).toBeFocused();
    expect((await projectsOf(flags)).map(({ id }) => id)).toEqual(['default']);
  });
});

test.describe('the real server', { tag: ['@upstream', '@no-projects'] }, () => {
  test('has no projects, which is not an error [S2-019]', async ({ page, ui }) => {
    for (const path of ['projects', 'projects/create', 'projects/edit/web']) {
      await page.goto(path);
      await expect(ui.main).toContainText('This server does not support projects');
      await expect(ui.main.getByRole('alert')).toHaveCount(0);
      await expect(ui.snackbar).toBeHidden();
    }
  });
});
