/** The package comes without types; this is the part that tests use. */
declare module '@adobe/structured-data-validator' {
  export interface StructuredDataIssue {
    issueMessage: string;
    severity: 'ERROR' | 'WARNING';
    path: { type: string; index: number }[];
    fieldNames?: string[];
  }

  export default class Validator {
    /** Without a vocabulary it checks by the rules of search engines alone. */
    constructor(schemaOrgJson?: object);
    /** Things by their type, as they stand in a page. */
    validate(
      found: Record<'jsonld' | 'microdata' | 'rdfa', Record<string, object[]>>,
    ): Promise<StructuredDataIssue[]>;
  }
}
