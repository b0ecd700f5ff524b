// Instructions for client SDKs that receive results and no definitions: of browsers, and of OpenFeature.

import type { Sdk } from './snippets';

export const browserSdks: readonly Sdk[] = [
  {
    label: 'JavaScript',
    install: 'npm install unleash-proxy-client',
    code: ({ api }) => `import { UnleashClient } from 'unleash-proxy-client';

const unleash = new UnleashClient({
  url: '${api}frontend',
  clientKey: 'TOKEN',
  appName: 'my-app',
});
await unleash.start();

console.log(unleash.isEnabled('my.toggle'));`,
  },
  {
    label: 'React',
    install: 'npm install @unleash/proxy-client-react unleash-proxy-client',
    code: ({ api }) => `import { FlagProvider, useFlag } from '@unleash/proxy-client-react';

const config = {
  url: '${api}frontend',
  clientKey: 'TOKEN',
  appName: 'my-app',
};

export function App() {
  return <FlagProvider config={config}><Page /></FlagProvider>;
}

function Page() {
  return <p>{useFlag('my.toggle') ? 'on' : 'off'}</p>;
}`,
  },
];

export const openFeatureSdks: readonly Sdk[] = [
  {
    label: 'Web',
    install: 'npm install @openfeature/web-sdk @openfeature/ofrep-web-provider',
    code: ({ base }) => `import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';
import { OpenFeature } from '@openfeature/web-sdk';

const headers = [['Authorization', 'Bearer TOKEN']];
const provider = new OFREPWebProvider({ baseUrl: '${base}', headers });
await OpenFeature.setProviderAndWait(provider, { targetingKey: 'user-1' });

console.log(OpenFeature.getClient().getBooleanValue('my.toggle', false));`,
  },
  {
    label: 'Node.js',
    install: 'npm install @openfeature/server-sdk @openfeature/ofrep-provider',
    code: ({ base }) => `import { OFREPProvider } from '@openfeature/ofrep-provider';
import { OpenFeature } from '@openfeature/server-sdk';

const headers = [['Authorization', 'Bearer TOKEN']];
const provider = new OFREPProvider({ baseUrl: '${base}', headers });
await OpenFeature.setProviderAndWait(provider);

const user = { targetingKey: 'user-1' };
console.log(await OpenFeature.getClient().getBooleanValue('my.toggle', false, user));`,
  },
  {
    label: 'Python',
    install: 'pip install openfeature-sdk openfeature-provider-ofrep',
    code: ({ base }) => `from openfeature import api
from openfeature.contrib.provider.ofrep import OFREPProvider
from openfeature.evaluation_context import EvaluationContext

headers = {"Authorization": "Bearer TOKEN"}
api.set_provider(OFREPProvider("${base}", headers_factory=lambda: headers))

user = EvaluationContext("user-1")
print(api.get_client().get_boolean_value("my.toggle", False, user))`,
  },
];
