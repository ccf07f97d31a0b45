/** The parts of the browsers’ extension API that the popup uses. Chromium and Firefox share them. */
export interface ExtensionApi {
  runtime: { getManifest(): { homepage_url: string; short_name: string } };
  storage: {
    local: {
      get(key: string): Promise<Record<string, unknown>>;
      set(values: Record<string, unknown>): Promise<void>;
    };
  };
  tabs: { query(filter: { active: true; currentWindow: true }): Promise<Tab[]> };
  scripting: {
    executeScript<Result>(injection: {
      target: { tabId: number };
      func: () => Result;
    }): Promise<{ result?: Result }[]>;
  };
}

export interface Tab {
  id?: number;
  incognito: boolean;
}
