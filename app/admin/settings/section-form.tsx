import { EditForm, type EditFields } from '#app/admin/frame/edit-form.tsx';
import type { FormOutcome } from '#app/admin/frame/form-outcome.ts';
import { FormSection, FullWidth } from '#app/admin/frame/form-section.tsx';
import {
  settingsLabels,
  type SettingsSection,
} from '#app/features/site-settings/settings-sections.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { CheckField } from '#app/ui/check-field.tsx';
import { ChoiceField } from '#app/ui/choice-field.tsx';
import { TextAreaField } from '#app/ui/text-area-field.tsx';
import { tabHref } from './settings-tabs.ts';
import { SiteFields } from './site-fields.tsx';
import { WordsFields } from './words-fields.tsx';

/** The form of the settings that are saved together. */
export function SectionForm({
  section: { name, texts, isUnsaved, version, timeZones },
  outcome,
}: {
  section: {
    name: SettingsSection;
    texts: Record<string, string>;
    isUnsaved: boolean;
    version: number;
    timeZones: string[];
  };
  outcome: FormOutcome | undefined;
}) {
  return (
    <EditForm
      key={version}
      stored={texts}
      outcome={outcome}
      errorTitle={outcome?.mustConfirm ? 'Please confirm' : 'Error saving settings'}
      version={version}
      labels={settingsLabels[name]}
      submitLabel="Save"
      cancelHref="/admin"
      isUnsaved={isUnsaved}
    >
      {(fields) => {
        if (name === 'site') return <SiteFields fields={fields} timeZones={timeZones} />;
        if (name === 'words') return <WordsFields fields={fields} />;
        if (name === 'prices') return <PriceFields fields={fields} />;
        if (name === 'staff') {
          return <StaffFields fields={fields} mustConfirm={outcome?.mustConfirm === true} />;
        }
        return <NewsletterFields fields={fields} />;
      }}
    </EditForm>
  );
}

function PriceFields({ fields }: { fields: EditFields }) {
  return (
    <FormSection
      title="Price claims"
      hint="Rules the discount badge, the struck price and “You Save” on every page, in every feed and mail."
    >
      <FullWidth>
        <ChoiceField
          label={settingsLabels.prices['priceClaims'] ?? ''}
          name="priceClaims"
          defaultValue={fields.value('priceClaims')}
          error={fields.error('priceClaims')}
          hint="By what the merchant claims: computed from the two prices, with our evidence beside it. By what was observed: computed only from the lowest price we saw in the 30 days before the reduction, as the EU’s price-indication rule asks; without that history no percentage and no struck price."
          options={[
            { value: 'claimed', label: 'By what the merchant claims' },
            { value: 'observed', label: 'By what was observed (EU rule)' },
          ]}
        />
      </FullWidth>
    </FormSection>
  );
}

function NewsletterFields({ fields }: { fields: EditFields }) {
  return (
    <FormSection title="Newsletter">
      <FullWidth>
        <TextAreaField
          label="Postal address"
          name="postalAddress"
          rows={3}
          maxLength={300}
          defaultValue={fields.value('postalAddress')}
          error={fields.error('postalAddress')}
          hint="Stands in every mail. No digest leaves before it is set (CAN-SPAM)."
        />
      </FullWidth>
      <CheckField
        label="Weekly digest"
        name="digestEnabled"
        defaultChecked={fields.isTicked('digestEnabled')}
        hint="The best new deals of the week, to active subscribers."
      />
      <CheckField
        label="Confirm new subscriptions by mail"
        name="doubleOptIn"
        defaultChecked={fields.isTicked('doubleOptIn')}
        hint="Double opt-in: nobody is subscribed before they follow the link in a mail."
      />
    </FormSection>
  );
}

const backHere = encodeURIComponent(`${tabHref('staff')}&demand`);

function StaffFields({ fields, mustConfirm }: { fields: EditFields; mustConfirm: boolean }) {
  return (
    <>
      {mustConfirm ? (
        <FormSection
          title="Your own second step"
          hint="A code of an authenticator app is set up in a minute, and leads back here. A passkey counts once you have signed in with it."
        >
          <FullWidth>
            <ButtonLink to={`/profile/two-factor?returnTo=${backHere}`}>
              Set up a code first
            </ButtonLink>
          </FullWidth>
          <FullWidth>
            <CheckField
              name="confirmed"
              label="Demand it now, and set up mine at the next screen"
              defaultChecked={fields.isTicked('confirmed')}
            />
          </FullWidth>
        </FormSection>
      ) : null}
      <FormSection title="Staff">
        <FullWidth>
          <CheckField
            label={settingsLabels.staff['staffSecondFactor'] ?? ''}
            name="staffSecondFactor"
            defaultChecked={fields.isTicked('staffSecondFactor')}
            hint="The back office then opens only after a code of an authenticator app or a passkey. Whoever has neither is led to set one up before the next screen. If you have none yourself, you are asked first."
          />
        </FullWidth>
      </FormSection>
    </>
  );
}
