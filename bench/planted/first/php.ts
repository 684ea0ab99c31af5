import type { PlantedCase } from "../planted-case.ts";

export const CASES: readonly PlantedCase[] = [
  {
    id: "php-sql-concat",
    language: "php",
    kind: "request input in SQL",
    path: "src/Controller/article.php",
    before: `<?php

declare(strict_types=1);

require __DIR__ . '/../bootstrap.php';

$db = new mysqli(getenv('DB_HOST'), getenv('DB_USER'), getenv('DB_PASSWORD'), 'blog');
$id = $_GET['id'] ?? '0';

$statement = $db->prepare('SELECT title, body FROM articles WHERE id = ?');
$statement->bind_param('s', $id);
$statement->execute();
$article = $statement->get_result()->fetch_assoc();

if ($article === null) {
    http_response_code(404);
    exit('Not found');
}

echo '<h1>' . htmlspecialchars($article['title']) . '</h1>';
echo '<div>' . nl2br(htmlspecialchars($article['body'])) . '</div>';
`,
    after: `<?php

declare(strict_types=1);

require __DIR__ . '/../bootstrap.php';

$db = new mysqli(getenv('DB_HOST'), getenv('DB_USER'), getenv('DB_PASSWORD'), 'blog');
$id = $_GET['id'] ?? '0';

$result = $db->query("SELECT title, body FROM articles WHERE id = " . $id);
$article = $result->fetch_assoc();

if ($article === null) {
    http_response_code(404);
    exit('Not found');
}

echo '<h1>' . htmlspecialchars($article['title']) . '</h1>';
echo '<div>' . nl2br(htmlspecialchars($article['body'])) . '</div>';
`,
    line: 10,
    severity: "critical",
  },
  {
    id: "php-xss-echo",
    language: "php",
    kind: "request input in HTML",
    path: "public/search.php",
    before: null,
    after: `<?php

require __DIR__ . '/../vendor/autoload.php';

use App\\Search\\Index;

$index = new Index(__DIR__ . '/../var/index.sqlite');
$query = $_GET['q'] ?? '';
$results = $query === '' ? [] : $index->find($query, 20);
?>
<!doctype html>
<title>Search</title>
<form><input name="q" placeholder="Search"></form>
<p>Results for <?php echo $query; ?></p>
<ul>
<?php foreach ($results as $result): ?>
  <li><a href="/page/<?= (int) $result->id ?>"><?= htmlspecialchars($result->title) ?></a></li>
<?php endforeach; ?>
</ul>
`,
    line: 14,
    severity: "must-fix",
  },
  {
    id: "php-assign-condition",
    language: "php",
    kind: "assignment in a condition",
    path: "src/Service/SubscriptionService.php",
    before: `<?php

declare(strict_types=1);

namespace App\\Service;

use App\\Entity\\Subscription;
use App\\Repository\\SubscriptionRepository;

final class SubscriptionService
{
    public function __construct(private SubscriptionRepository $subscriptions)
    {
    }

    public function cancel(Subscription $subscription): bool
    {
        if ($subscription->status === 'canceled') {
            return false;
        }
        $subscription->status = 'canceled';
        $this->subscriptions->save($subscription);

        return true;
    }
}
`,
    after: `<?php

declare(strict_types=1);

namespace App\\Service;

use App\\Entity\\Subscription;
use App\\Repository\\SubscriptionRepository;

final class SubscriptionService
{
    public function __construct(private SubscriptionRepository $subscriptions)
    {
    }

    public function cancel(Subscription $subscription): bool
    {
        if ($subscription->status = 'canceled') {
            return false;
        }
        $subscription->status = 'canceled';
        $this->subscriptions->save($subscription);

        return true;
    }
}
`,
    line: 18,
    severity: "must-fix",
  },
  {
    id: "php-strpos-falsy",
    language: "php",
    kind: "strpos result used as a boolean",
    path: "src/Http/Origin.php",
    before: null,
    after: `<?php

declare(strict_types=1);

namespace App\\Http;

final class Origin
{
    /** @param list<string> $prefixes */
    public function __construct(private array $prefixes)
    {
    }

    public function isInternal(string $url): bool
    {
        foreach ($this->prefixes as $prefix) {
            if (strpos($url, $prefix)) {
                return true;
            }
        }

        return false;
    }

    public function hostOf(string $url): ?string
    {
        return parse_url($url, PHP_URL_HOST) ?: null;
    }
}
`,
    line: 17,
    severity: "major",
  },
  {
    id: "php-unserialize-cookie",
    language: "php",
    kind: "unsafe deserialization",
    path: "src/Cart/CartStorage.php",
    before: `<?php

namespace App\\Cart;

class CartStorage
{
    private const COOKIE = 'cart';

    public function load(): array
    {
        if (!isset($_COOKIE[self::COOKIE])) {
            return [];
        }
        $items = json_decode(base64_decode($_COOKIE[self::COOKIE]), true);

        return is_array($items) ? $items : [];
    }

    public function save(array $items): void
    {
        setcookie(self::COOKIE, base64_encode(json_encode($items)), ['httponly' => true]);
    }
}
`,
    after: `<?php

namespace App\\Cart;

class CartStorage
{
    private const COOKIE = 'cart';

    public function load(): array
    {
        if (!isset($_COOKIE[self::COOKIE])) {
            return [];
        }
        $items = unserialize(base64_decode($_COOKIE[self::COOKIE]));

        return is_array($items) ? $items : [];
    }

    public function save(array $items): void
    {
        setcookie(self::COOKIE, base64_encode(serialize($items)), ['httponly' => true]);
    }
}
`,
    line: 14,
    severity: "critical",
  },
  {
    id: "php-include-input",
    language: "php",
    kind: "request input in include",
    path: "public/index.php",
    before: null,
    after: `<?php

session_start();

require __DIR__ . '/../src/helpers.php';

$user = current_user();
$page = $_GET['page'] ?? 'home';

include __DIR__ . '/../templates/header.php';
include __DIR__ . '/../templates/' . $page . '.php';
include __DIR__ . '/../templates/footer.php';

if ($user !== null) {
    track_visit($user['id'], time());
}
`,
    line: 11,
    severity: "critical",
  },
  {
    id: "php-unreachable",
    language: "php",
    kind: "code after return never runs",
    path: "src/Export/CsvExporter.php",
    before: `<?php

declare(strict_types=1);

namespace App\\Export;

final class CsvExporter
{
    public function export(iterable $rows, string $path): int
    {
        $handle = fopen($path, 'wb');
        $count = 0;
        foreach ($rows as $row) {
            fputcsv($handle, $row);
            $count++;
        }
        fclose($handle);

        return $count;
    }
}
`,
    after: `<?php

declare(strict_types=1);

namespace App\\Export;

final class CsvExporter
{
    public function export(iterable $rows, string $path): int
    {
        $handle = fopen($path, 'wb');
        $count = 0;
        foreach ($rows as $row) {
            fputcsv($handle, $row);
            $count++;
        }
        return $count;
        fclose($handle);
    }
}
`,
    line: 18,
    also: [17],
    severity: "major",
  },
  {
    id: "php-weak-hash",
    language: "php",
    kind: "password hashed with md5",
    path: "src/Security/Registration.php",
    before: null,
    after: `<?php

namespace App\\Security;

use App\\Repository\\UserRepository;

class Registration
{
    public function __construct(private UserRepository $users)
    {
    }

    public function register(string $email, string $password): int
    {
        if ($this->users->existsByEmail($email)) {
            throw new \\DomainException('This email is already registered.');
        }

        return $this->users->insert([
            'email' => $email,
            'password' => md5($password),
            'created_at' => date('c'),
        ]);
    }
}
`,
    line: 21,
    severity: "must-fix",
  },
  {
    id: "php-undefined-variable",
    language: "php",
    kind: "undefined variable",
    path: "src/Report/MonthlyReport.php",
    before: `<?php

declare(strict_types=1);

namespace App\\Report;

final class MonthlyReport
{
    /** @param list<array{amount: int, tax: int}> $lines */
    public function totals(array $lines): array
    {
        $net = 0;
        $tax = 0;
        foreach ($lines as $line) {
            $net += $line['amount'];
            $tax += $line['tax'];
        }

        return ['net' => $net, 'tax' => $tax, 'gross' => $net + $tax];
    }
}
`,
    after: `<?php

declare(strict_types=1);

namespace App\\Report;

final class MonthlyReport
{
    /** @param list<array{amount: int, tax: int}> $lines */
    public function totals(array $lines): array
    {
        $net = 0;
        $tax = 0;
        foreach ($lines as $line) {
            $net += $line['amount'];
            $tax += $line['tax'];
        }

        return ['net' => $net, 'tax' => $tax, 'gross' => $net + $taxes];
    }
}
`,
    line: 19,
    severity: "must-fix",
  },
];
