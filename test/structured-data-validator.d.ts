/** The package has no types; this is the part that tests use. */
declare module '@adobe/structured-data-validator' {
  export interface StructuredDataIssue {
    issueMessage: string;
    severity: 'ERROR' | 'WARNING';
    path: { type: string; index: number }[];
    fieldNames?: string[];
  }

  export default class Validator {
    /** Without a vocabulary, only the rules of search engines are checked. */
    constructor(schemaOrgJson?: object);
    /** Items by type, as they appear in a page. */
    validate(
      found: Record<'jsonld' | 'microdata' | 'rdfa', Record<string, object[]>>,
    ): Promise<StructuredDataIssue[]>;
  }
}
