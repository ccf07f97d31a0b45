import childProcess, { type ChildProcess, type SpawnOptions } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';

/**
 * Runs `initdb` only once per version and password, for all processes with the same `folder`. The
 * result is stored there, and later calls copy it in a twentieth of the time.
 */
export function runInitdbOnce(folder: string): void {
  const { spawn } = childProcess;
  const spawnOrCopy = (command: string, args: string[], options: SpawnOptions): ChildProcess => {
    const [cluster, passwordFile] = [valueOf('--pgdata', args), valueOf('--pwfile', args)];
    if (!cluster || !passwordFile) return spawn(command, args, options);
    const program = args.find((one) => path.basename(one) === 'initdb') ?? command;
    const kept = cachedCluster(folder, program, fs.readFileSync(passwordFile, 'utf8'));
    if (fs.existsSync(kept)) return spawn('cp', ['-R', `${kept}/.`, cluster], options);
    return spawn(command, args, options).on('close', (code) => {
      if (code === 0) fs.cpSync(cluster, kept, { recursive: true });
    });
  };
  Object.assign(childProcess, { spawn: spawnOrCopy });
  syncBuiltinESMExports();
}

function valueOf(option: string, args: string[]): string | undefined {
  return args.find((one) => one.startsWith(`${option}=`))?.slice(option.length + 1);
}

/** Returns the folder to copy if this `initdb` should create a cluster with this password. */
export function cachedCluster(folder: string, initdb: string, password: string): string {
  const program = fs.realpathSync(initdb);
  return path.join(folder, createHash('sha256').update(program).update(password).digest('hex'));
}
