import type { PlantedCase } from "../planted-case.ts";

export const CASES: readonly PlantedCase[] = [
  {
    id: "third-php-strpos-false",
    language: "php",
    kind: "loose comparison of strpos with false",
    path: "src/Routing/LocaleDetector.php",
    before: null,
    after: `<?php

declare(strict_types=1);

namespace App\\Routing;

final class LocaleDetector
{
    /** @param list<string> $locales */
    public function __construct(
        private readonly array $locales,
        private readonly string $default,
    ) {
    }

    public function fromPath(string $path): string
    {
        foreach ($this->locales as $locale) {
            if (str_starts_with($path, '/' . $locale . '/')) {
                return $locale;
            }
        }

        return $this->default;
    }

    public function fromHeader(string $header): string
    {
        foreach ($this->locales as $locale) {
            if (strpos($header, $locale) == false) {
                continue;
            }

            return $locale;
        }

        return $this->default;
    }
}
`,
    line: 30,
    severity: "medium",
  },
  {
    id: "third-php-undefined-variable",
    language: "php",
    kind: "undefined variable",
    path: "src/Cart/Totals.php",
    before: `<?php

declare(strict_types=1);

namespace App\\Cart;

final class Totals
{
    private const FREE_SHIPPING_FROM = 5000;
    private const SHIPPING = 495;

    /** @param iterable<CartLine> $lines */
    public function calculate(iterable $lines, ?Voucher $voucher): int
    {
        $subtotal = 0;
        foreach ($lines as $line) {
            $subtotal += $line->quantity * $line->unitPrice;
        }

        $discount = $voucher === null ? 0 : $voucher->discountFor($subtotal);
        $shipping = $subtotal >= self::FREE_SHIPPING_FROM ? 0 : self::SHIPPING;

        return $subtotal - $discount + $shipping;
    }
}
`,
    after: `<?php

declare(strict_types=1);

namespace App\\Cart;

final class Totals
{
    private const FREE_SHIPPING_FROM = 5000;
    private const SHIPPING = 495;

    /** @param iterable<CartLine> $lines */
    public function calculate(iterable $lines, ?Voucher $voucher): int
    {
        $subtotal = 0;
        foreach ($lines as $line) {
            $subtotal += $line->quantity * $line->unitPrice;
        }

        $discount = $voucher === null ? 0 : $voucher->discountFor($subtotal);
        $discounted = max(0, $subtotal - $discount);
        $shipping = $discounted >= self::FREE_SHIPPING_FROM ? 0 : self::SHIPPING;

        return $discountedTotal + $shipping;
    }
}
`,
    line: 24,
    severity: "medium",
  },
  {
    id: "third-php-sprintf-arguments",
    language: "php",
    kind: "sprintf with too few arguments",
    path: "src/Mail/ReminderMail.php",
    before: null,
    after: `<?php

declare(strict_types=1);

namespace App\\Mail;

use DateTimeImmutable;

final class ReminderMail
{
    public function __construct(
        private readonly string $recipient,
        private readonly string $invoiceNumber,
        private readonly DateTimeImmutable $dueDate,
        private readonly int $cents,
    ) {
    }

    public function recipient(): string
    {
        return $this->recipient;
    }

    public function subject(): string
    {
        return sprintf('Reminder: invoice %s', $this->invoiceNumber);
    }

    public function body(): string
    {
        $amount = number_format($this->cents / 100, 2, ',', '.');

        return sprintf(
            "Your invoice %s of %s EUR was due on %s.\\nPlease pay it within ten days.\\n",
            $this->invoiceNumber,
            $amount,
        );
    }
}
`,
    line: 33,
    also: [34],
    severity: "medium",
  },
  {
    id: "third-php-removed-null-check",
    language: "php",
    kind: "removed null check of a lookup",
    path: "src/Controller/InvoiceController.php",
    before: `<?php

declare(strict_types=1);

namespace App\\Controller;

use App\\Pdf\\InvoicePdf;
use App\\Repository\\InvoiceRepository;
use Symfony\\Bundle\\FrameworkBundle\\Controller\\AbstractController;
use Symfony\\Component\\HttpFoundation\\Response;
use Symfony\\Component\\Routing\\Attribute\\Route;

final class InvoiceController extends AbstractController
{
    public function __construct(
        private readonly InvoiceRepository $invoices,
        private readonly InvoicePdf $pdf,
    ) {
    }

    #[Route('/invoices/{id}/pdf', methods: ['GET'])]
    public function download(int $id): Response
    {
        $invoice = $this->invoices->find($id);
        if ($invoice === null) {
            throw $this->createNotFoundException();
        }
        $this->denyAccessUnlessGranted('view', $invoice);

        return new Response($this->pdf->render($invoice), 200, [
            'Content-Type' => 'application/pdf',
            'Content-Disposition' => 'attachment; filename="invoice.pdf"',
        ]);
    }
}
`,
    after: `<?php

declare(strict_types=1);

namespace App\\Controller;

use App\\Pdf\\InvoicePdf;
use App\\Repository\\InvoiceRepository;
use Symfony\\Bundle\\FrameworkBundle\\Controller\\AbstractController;
use Symfony\\Component\\HttpFoundation\\Response;
use Symfony\\Component\\Routing\\Attribute\\Route;

final class InvoiceController extends AbstractController
{
    public function __construct(
        private readonly InvoiceRepository $invoices,
        private readonly InvoicePdf $pdf,
    ) {
    }

    #[Route('/invoices/{id}/pdf', methods: ['GET'])]
    public function download(int $id): Response
    {
        $invoice = $this->invoices->find($id);
        $this->denyAccessUnlessGranted('view', $invoice);

        return new Response($this->pdf->render($invoice), 200, [
            'Content-Type' => 'application/pdf',
            'Content-Disposition' => sprintf('attachment; filename="%s.pdf"', $invoice->getNumber()),
        ]);
    }
}
`,
    line: 25,
    side: "old",
    also: [26, 27],
    severity: "medium",
  },
  {
    id: "third-php-sql-concat",
    language: "php",
    kind: "SQL injection",
    path: "public/track.php",
    before: null,
    after: `<?php

declare(strict_types=1);

require __DIR__ . '/../vendor/autoload.php';

$config = require __DIR__ . '/../config/database.php';
$db = new mysqli($config['host'], $config['user'], $config['password'], $config['name']);
$db->set_charset('utf8mb4');

header('Content-Type: application/json');

if (!isset($_GET['code'])) {
    http_response_code(400);
    echo json_encode(['error' => 'code is required']);
    exit;
}

$result = $db->query("SELECT state, updated_at FROM parcels WHERE code = '" . $_GET['code'] . "'");
$parcel = $result === false ? null : $result->fetch_assoc();

if ($parcel === null) {
    http_response_code(404);
    echo json_encode(['error' => 'unknown parcel']);
    exit;
}

echo json_encode($parcel);
`,
    line: 19,
    severity: "major",
  },
  {
    id: "third-php-xss",
    language: "php",
    kind: "request input written without escaping",
    path: "templates/search.php",
    before: `<?php
/** @var list<array{title: string, url: string}> $results */
$query = (string) ($_GET['q'] ?? '');
?>
<form action="/search" method="get">
  <input type="search" name="q" placeholder="Search">
  <button type="submit">Search</button>
</form>

<?php if ($query !== ''): ?>
  <h2>Results for <?= htmlspecialchars($query, ENT_QUOTES) ?></h2>
  <ul class="results">
    <?php foreach ($results as $result): ?>
      <li>
        <a href="<?= htmlspecialchars($result['url'], ENT_QUOTES) ?>">
          <?= htmlspecialchars($result['title'], ENT_QUOTES) ?>
        </a>
      </li>
    <?php endforeach; ?>
  </ul>
<?php endif; ?>
`,
    after: `<?php
/** @var list<array{title: string, url: string}> $results */
$query = (string) ($_GET['q'] ?? '');
?>
<form action="/search" method="get">
  <input type="search" name="q" placeholder="Search">
  <button type="submit">Search</button>
</form>

<?php if ($query !== ''): ?>
  <h2><?= count($results) ?> results for <em><?= $_GET['q'] ?></em></h2>
  <ul class="results">
    <?php foreach ($results as $result): ?>
      <li>
        <a href="<?= htmlspecialchars($result['url'], ENT_QUOTES) ?>">
          <?= htmlspecialchars($result['title'], ENT_QUOTES) ?>
        </a>
      </li>
    <?php endforeach; ?>
  </ul>
<?php endif; ?>
`,
    line: 11,
    severity: "major",
  },
  {
    id: "third-php-include-input",
    language: "php",
    kind: "include of a file from the request",
    path: "public/help.php",
    before: null,
    after: `<?php

declare(strict_types=1);

const PAGES = ['start' => 'Getting started', 'billing' => 'Billing', 'contact' => 'Contact'];

$page = (string) ($_GET['page'] ?? 'start');
$title = PAGES[$page] ?? 'Help';

?>
<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title><?= htmlspecialchars($title) ?></title>
  <link rel="stylesheet" href="/css/help.css">
</head>
<body>
  <nav>
    <?php foreach (PAGES as $key => $label): ?>
      <a href="/help.php?page=<?= urlencode($key) ?>"><?= htmlspecialchars($label) ?></a>
    <?php endforeach; ?>
  </nav>
  <main>
    <?php include __DIR__ . '/../pages/' . $page . '.php'; ?>
  </main>
</body>
</html>
`,
    line: 25,
    severity: "major",
  },
  {
    id: "third-php-md5-password",
    language: "php",
    kind: "password hashed with MD5",
    path: "app/Services/Registration.php",
    before: `<?php

declare(strict_types=1);

namespace App\\Services;

use App\\Models\\User;
use Illuminate\\Support\\Str;
use InvalidArgumentException;

class Registration
{
    private const MIN_LENGTH = 12;

    public function register(string $email, string $password): User
    {
        if (mb_strlen($password) < self::MIN_LENGTH) {
            throw new InvalidArgumentException('The password is too short.');
        }

        $user = new User();
        $user->email = Str::lower(trim($email));
        $user->password = password_hash($password, PASSWORD_DEFAULT);
        $user->save();

        return $user;
    }
}
`,
    after: `<?php

declare(strict_types=1);

namespace App\\Services;

use App\\Models\\User;
use Illuminate\\Support\\Str;
use InvalidArgumentException;

class Registration
{
    private const MIN_LENGTH = 12;

    public function register(string $email, string $password): User
    {
        if (mb_strlen($password) < self::MIN_LENGTH) {
            throw new InvalidArgumentException('The password is too short.');
        }

        $user = new User();
        $user->email = Str::lower(trim($email));
        $user->salt = Str::random(16);
        $user->password = md5($user->salt . $password);
        $user->save();

        return $user;
    }
}
`,
    line: 24,
    severity: "major",
  },
];
