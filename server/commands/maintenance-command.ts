import { Argument, Command } from 'commander';
import { changeMaintenance } from '#app/features/site-settings/change-maintenance.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { print, withDatabase } from '#server/commands/with-database.ts';

export const maintenanceCommand = new Command('maintenance')
  .description('close the site for visitors or open it, even if you locked yourself out')
  .addArgument(new Argument('[state]', '"off" opens the access gate, too').choices(['on', 'off']))
  .action((state: 'on' | 'off' | undefined) =>
    withDatabase(async ({ database: { db } }) => {
      const { maintenance } = await readSiteSettings(db);
      const settings = {
        ...maintenance,
        enabled: state === undefined ? maintenance.enabled : state === 'on',
        gate: { ...maintenance.gate, enabled: state !== 'off' && maintenance.gate.enabled },
      };
      if (state) await changeMaintenance(db, { settings, actor: 'cli', actorAddress: null });
      print(`Maintenance mode is ${settings.enabled ? 'on' : 'off'}.`);
      print(`The access gate is ${settings.gate.enabled ? 'on' : 'off'}.`);
    }),
  );
