// Instructions to connect an application, for each client SDK: the package and example code.

export const sdkLanguages = ['node', 'java', 'go', 'python', 'dotnet', 'ruby'] as const;
export type SdkLanguage = (typeof sdkLanguages)[number];

interface Snippet {
  label: string;
  /** Shell command or line of the build file. */
  install: string;
  code: string;
}

/** Returns the instructions. `api` is the URL of the client API, with a trailing slash. */
export function sdkSnippet(library: SdkLanguage, api: string): Snippet {
  return SNIPPETS[library](api);
}

/** Some SDKs add the slash themselves. */
const withoutTrailingSlash = (api: string) => api.replace(/\/$/, '');

const SNIPPETS: { [library in SdkLanguage]: (api: string) => Snippet } = {
  node: (api) => ({
    label: 'Node.js',
    install: 'npm install unleash-client',
    code: `import { initialize } from 'unleash-client';

const unleash = initialize({ url: '${api}', appName: 'my-app' });

unleash.on('synchronized', () => {
  console.log(unleash.isEnabled('my.toggle'));
});`,
  }),
  java: (api) => ({
    label: 'Java',
    install: 'implementation("io.getunleash:unleash-client-java:+")',
    code: `import io.getunleash.DefaultUnleash;
import io.getunleash.Unleash;
import io.getunleash.util.UnleashConfig;

UnleashConfig config = UnleashConfig.builder()
    .appName("my-app")
    .instanceId("my-app-1")
    .unleashAPI("${api}")
    .synchronousFetchOnInitialisation(true)
    .build();
Unleash unleash = new DefaultUnleash(config);

System.out.println(unleash.isEnabled("my.toggle"));`,
  }),
  go: (api) => ({
    label: 'Go',
    install: 'go get github.com/Unleash/unleash-client-go/v4',
    code: `import (
	"fmt"

	"github.com/Unleash/unleash-client-go/v4"
)

func main() {
	unleash.Initialize(
		unleash.WithAppName("my-app"),
		unleash.WithUrl("${api}"),
		unleash.WithListener(&unleash.DebugListener{}),
	)
	unleash.WaitForReady()

	fmt.Println(unleash.IsEnabled("my.toggle"))
}`,
  }),
  python: (api) => ({
    label: 'Python',
    install: 'pip install UnleashClient',
    code: `from UnleashClient import UnleashClient

client = UnleashClient(url="${withoutTrailingSlash(api)}", app_name="my-app")
client.initialize_client()

print(client.is_enabled("my.toggle"))`,
  }),
  dotnet: (api) => ({
    label: '.NET',
    install: 'dotnet add package Unleash.Client',
    code: `using Unleash;

var settings = new UnleashSettings
{
    AppName = "my-app",
    InstanceTag = "my-app-1",
    UnleashApi = new Uri("${api}"),
};
IUnleash unleash = new DefaultUnleash(settings);

Console.WriteLine(unleash.IsEnabled("my.toggle"));`,
  }),
  ruby: (api) => ({
    label: 'Ruby',
    install: 'gem install unleash',
    code: `require 'unleash'

unleash = Unleash::Client.new(url: '${withoutTrailingSlash(api)}', app_name: 'my-app')

puts unleash.is_enabled?('my.toggle')`,
  }),
};
