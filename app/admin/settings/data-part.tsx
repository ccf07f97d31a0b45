import { useNavigation } from 'react-router';
import { deskMessages } from '#app/features/desk/desk-messages.ts';
import type { SampleImportResult } from '#app/features/feeds/runs/import-sample-deals.server.ts';
import { sampleImportMessages } from '#app/features/feeds/runs/import-messages.ts';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { PostButton } from '#app/ui/act-form.tsx';
import { ConfirmAct } from '#app/admin/frame/confirm-act.tsx';
import { Link } from '#app/ui/link.tsx';
import styles from './settings-page.module.css';

/** The Data Management section. */
export function DataPart({ result }: { result: SampleImportResult | undefined }) {
  const intent = useNavigation().formData?.get('intent');
  return (
    <section className={styles.part} aria-labelledby="data">
      <div>
        <h2 id="data">Data Management</h2>
        <FormNotice
          kind="success"
          text={result?.imported ? sampleImportMessages.done(result.imported) : undefined}
        />
        <FormNotice
          kind="error"
          text={result?.imported === 0 ? sampleImportMessages.failed : undefined}
        />
      </div>
      {result ? <ImportResults {...result} /> : null}
      <ul className={`stack gap-5 ${styles.acts}`}>
        <li>
          <h3>Import sample deals</h3>
          <p>
            Six deals to try out the site. For real ones,{' '}
            <Link to="/admin/imports">import a feed</Link>.
          </p>
          <PostButton fields={{ intent: 'import-samples' }} isBusy={intent === 'import-samples'}>
            {intent === 'import-samples' ? 'Importing...' : 'Import Deals'}
          </PostButton>
        </li>
        <li>
          <h3>Seed Sample Data</h3>
          <p>6 categories, 3 merchants and 2 deals, on a site without categories.</p>
          <ConfirmAct
            label={intent === 'seed' ? deskMessages.seeding : 'Seed Sample Data'}
            question={deskMessages.confirmSeed}
            confirmLabel="Seed Sample Data"
            confirmVariant="primary"
            fields={{ intent: 'seed' }}
          />
        </li>
        <li>
          <h3>Clear Cache</h3>
          <p>
            Clears the server’s page cache, and what this browser stored for the site, such as the
            theme.
          </p>
          <PostButton
            fields={{ intent: 'clear-cache' }}
            form={{ onSubmit: clearBrowser }}
            isBusy={intent === 'clear-cache'}
          >
            Clear Cache
          </PostButton>
        </li>
      </ul>
    </section>
  );
}

/** Clears the browser's storage, which it may deny. */
function clearBrowser(): void {
  try {
    localStorage.clear();
    sessionStorage.clear();
  } catch {
    // If access is denied, nothing was stored either.
  }
}

function ImportResults({ imported, errors }: SampleImportResult) {
  return (
    <div className={styles.result}>
      <h3>Import Results</h3>
      <p>
        {imported} imported, {errors.length} not
      </p>
      {errors.length > 0 ? (
        <ul className="disc-list">
          {errors.map((error) => (
            <li key={error}>{error}</li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
