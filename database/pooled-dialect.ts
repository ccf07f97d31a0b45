import {
  CompiledQuery,
  type DatabaseConnection,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type TransactionSettings,
} from 'kysely';

/**
 * Kysely's dialect for PostgreSQL behind a pooler such as pgbouncer. A pooler may use another
 * server connection for each transaction, and rejects session settings. Every statement therefore
 * runs in a transaction, and each transaction sets its own limits. `limits` are PostgreSQL settings
 * in milliseconds.
 */
export function pooledDialect(
  config: PostgresDialectConfig,
  limits: Readonly<Record<string, number>>,
): PostgresDialect {
  return Object.assign(new PostgresDialect(config), {
    createDriver: () => new PooledDriver(config, limits),
  });
}

class PooledDriver extends PostgresDriver {
  readonly #limits: string;
  readonly #known = new WeakSet<DatabaseConnection>();
  readonly #inTransaction = new WeakSet<DatabaseConnection>();

  constructor(config: PostgresDialectConfig, limits: Readonly<Record<string, number>>) {
    super(config);
    this.#limits = Object.entries(limits)
      .map(([name, value]) => `; set local ${name} = ${value}`)
      .join('');
  }

  override async acquireConnection(
    ...given: Parameters<PostgresDriver['acquireConnection']>
  ): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection(...given);
    this.#inTransaction.delete(connection);
    if (!this.#known.has(connection)) this.#wrap(connection);
    this.#known.add(connection);
    return connection;
  }

  /** Sends everything in one message, so that the limits need no extra round trip. */
  override async beginTransaction(
    connection: DatabaseConnection,
    { isolationLevel, accessMode }: TransactionSettings,
  ): Promise<void> {
    const level = isolationLevel ? ` isolation level ${isolationLevel}` : '';
    const begin = `start transaction${level}${accessMode ? ` ${accessMode}` : ''}`;
    this.#inTransaction.add(connection);
    await connection.executeQuery(CompiledQuery.raw(begin + this.#limits));
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.commitTransaction(connection);
    } finally {
      this.#inTransaction.delete(connection);
    }
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    this.#inTransaction.add(connection); // A failed commit has already removed the flag.
    try {
      await super.rollbackTransaction(connection as never);
    } finally {
      this.#inTransaction.delete(connection);
    }
  }

  #wrap(connection: DatabaseConnection): void {
    const execute = connection.executeQuery.bind(connection);
    const executeAlone: typeof execute = async (...given) => {
      if (this.#inTransaction.has(connection)) return execute(...given);
      await this.beginTransaction(connection, {});
      try {
        const result = await execute(...given);
        await this.commitTransaction(connection);
        return result as never;
      } catch (error) {
        await this.rollbackTransaction(connection).catch(() => {});
        throw error;
      }
    };
    connection.executeQuery = executeAlone;
  }
}
