/** The package has no types. This declares the part that tests use. */
declare module '@adobe/structured-data-validator' {
  export interface StructuredDataIssue {
    issueMessage: string;
    severity: 'ERROR' | 'WARNING';
    path: { type: string; index: number }[];
    fieldNames?: string[];
  }

  export default class Validator {
    /** Without a vocabulary, checks only the rules of search engines. */
    constructor(schemaOrgJson?: object);
    /** The items in a page, by type. */
    validate(
      found: Record<'jsonld' | 'microdata' | 'rdfa', Record<string, object[]>>,
    ): Promise<StructuredDataIssue[]>;
  }
}
