import fs from 'node:fs';
import path from 'node:path';
import { connect } from '#database/connect.ts';
import { findPostgresBinaries } from '#database/embedded/postgres-binaries.ts';
import { siteUrl } from '#database/embedded/local-client.ts';
import { makeCluster } from '#database/embedded/make-cluster.ts';
import { prepareSiteRole } from '#database/embedded/site-role.ts';
import { startServer, stopServer } from '#database/embedded/run-server.ts';
import { migrate, newestMigration } from '#database/migrate.ts';
import { chooseAccount } from '#database/embedded/run-unprivileged.ts';
import { cachedCluster } from '#test/run-initdb-once.ts';

/**
 * Creates a cluster with all migrations where `runInitdbOnce(folder)` finds it. Tests that kill a
 * move after the migrations start with a copy, because migrating takes half of the time.
 */
export async function keepMigrated(folder: string, password: string): Promise<void> {
  const binaries = findPostgresBinaries();
  if (typeof binaries === 'string') throw new Error(binaries);
  const beside = `${folder}.made`;
  fs.mkdirSync(beside, { recursive: true });
  const place = { cluster: path.join(beside, 'cluster'), binaries, account: chooseAccount() };
  await makeCluster(place, beside, password);
  const logFile = path.join(beside, 'postgres.log');
  const { pid, port } = await startServer({ ...place, logFile, log: () => {} });
  await prepareSiteRole(place.cluster, port);
  const { db, close } = connect(siteUrl(place.cluster, port), { statementTimeout: 0 });
  await migrate(db, await newestMigration());
  await close();
  await stopServer(place, pid);
  // Removes the settings, so that the move writes them, because tests also kill it at that step.
  fs.rmSync(path.join(place.cluster, 'deals.conf'));
  fs.mkdirSync(folder, { recursive: true });
  fs.renameSync(place.cluster, cachedCluster(folder, binaries.initdb, password));
}
