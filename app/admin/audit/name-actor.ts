const machines: Record<string, string> = { cli: 'Command line', system: 'The site itself' };

/** An actor without an account: a machine, or the pseudonym that is left of somebody erased. */
export function nameActor(actor: string): string {
  return machines[actor] ?? `Erased account ${actor.slice(0, 8)}`;
}
