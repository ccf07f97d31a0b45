import { noPrevious, readCheckpoint } from './checkpoint.ts';
import { hashHex } from './merkle-tree.server.ts';
import { isSigned, leadsTo, type NextKeys } from './signed-statements.ts';
import type { SignedCheckpoint } from './verify-evidence.ts';

const dayMs = 86_400_000;

interface ChainReport {
  problems: string[];
  notes: string[];
}

/** Checks that each checkpoint is signed and refers to the previous one. */
export class Chain {
  private previous = noPrevious;
  private key: string | null = null;
  private day: string | null = null;
  private readonly report: ChainReport;
  private readonly nextKeys: NextKeys;

  constructor(report: ChainReport, nextKeys: NextKeys) {
    this.report = report;
    this.nextKeys = nextKeys;
  }

  /**
   * Returns whether the key changed without a signature by the old one; false if `mayChangeKey`.
   */
  async add(
    { day, text, signature }: SignedCheckpoint,
    mayChangeKey = false,
  ): Promise<{ isNewKey: boolean }> {
    const { problems, notes } = this.report;
    const checkpoint = readCheckpoint(text);
    if (checkpoint?.day !== day || !(await isSigned(text, signature, checkpoint.key))) {
      problems.push(`${day}: the signature is wrong.`);
    }
    const isFirst = this.day === null;
    if (checkpoint?.previous !== this.previous) {
      problems.push(`${day}: the chain is broken. The previous day was changed or removed.`);
    }
    if (!isFirst && Date.parse(day) - Date.parse(this.day ?? '') !== dayMs) {
      problems.push(`${day}: the previous day is missing.`);
    }
    const isNewKey =
      checkpoint !== null &&
      this.key !== null &&
      !mayChangeKey &&
      !leadsTo(this.key, checkpoint.key, this.nextKeys);
    if (isNewKey)
      problems.push(`${day}: signed with a new key, and the old key did not sign the change.`);
    else if (!isFirst && checkpoint?.key !== this.key) notes.push(`${day}: signed with a new key.`);
    this.previous = hashHex(text);
    this.key = checkpoint?.key ?? null;
    this.day = day;
    return { isNewKey };
  }

  /** Continues the chain after a checkpoint that was verified before. */
  continueFrom({ day, text }: SignedCheckpoint): void {
    this.previous = hashHex(text);
    this.key = readCheckpoint(text)?.key ?? null;
    this.day = day;
  }
}
