import type { PlantedCase } from "../planted-case.ts";

export const CASES: readonly PlantedCase[] = [
  {
    id: "rb-sql-where",
    language: "ruby",
    kind: "request input in SQL",
    path: "app/controllers/products_controller.rb",
    before: `class ProductsController < ApplicationController
  before_action :authenticate_user!
  before_action :set_product, only: %i[show update]

  def index
    @products = Product.active.order(:name)
    @products = @products.where("name ILIKE ?", "%#{params[:q]}%") if params[:q].present?
    render json: @products.limit(50)
  end

  def show
    render json: @product
  end

  def update
    if @product.update(product_params)
      render json: @product
    else
      render json: { errors: @product.errors }, status: :unprocessable_entity
    end
  end

  private

  def set_product
    @product = Product.find(params[:id])
  end

  def product_params
    params.require(:product).permit(:name, :price_cents)
  end
end
`,
    after: `class ProductsController < ApplicationController
  before_action :authenticate_user!
  before_action :set_product, only: %i[show update]

  def index
    @products = Product.active.order(:name)
    @products = @products.where("name ILIKE '%#{params[:q]}%'") if params[:q].present?
    render json: @products.limit(50)
  end

  def show
    render json: @product
  end

  def update
    if @product.update(product_params)
      render json: @product
    else
      render json: { errors: @product.errors }, status: :unprocessable_entity
    end
  end

  private

  def set_product
    @product = Product.find(params[:id])
  end

  def product_params
    params.require(:product).permit(:name, :price_cents)
  end
end
`,
    line: 7,
    severity: "critical",
  },
  {
    id: "rb-system-call",
    language: "ruby",
    kind: "request input in shell command",
    path: "app/controllers/exports_controller.rb",
    before: null,
    after: `class ExportsController < ApplicationController
  before_action :require_admin

  EXPORTS = Rails.root.join("tmp", "exports")

  def create
    target = EXPORTS.join("#{SecureRandom.uuid}.sql")
    table = params[:table]
    unless system("pg_dump -t #{table} #{Rails.configuration.database_name} > #{target}")
      return render json: { error: "export failed" }, status: :internal_server_error
    end

    send_file target, type: "application/sql"
  end

  def index
    render json: Dir.children(EXPORTS).sort
  end
end
`,
    line: 9,
    severity: "critical",
  },
  {
    id: "rb-rescue-exception",
    language: "ruby",
    kind: "rescue of Exception swallows exits",
    path: "lib/workers/feed_worker.rb",
    before: `require "net/http"

class FeedWorker
  INTERVAL = 60

  def initialize(feeds, logger)
    @feeds = feeds
    @logger = logger
  end

  def run
    loop do
      @feeds.each { |feed| refresh(feed) }
      sleep INTERVAL
    end
  end

  def refresh(feed)
    body = Net::HTTP.get(URI(feed.url))
    feed.store(body)
  rescue StandardError => e
    @logger.warn("feed #{feed.url} failed: #{e.message}")
  end
end
`,
    after: `require "net/http"

class FeedWorker
  INTERVAL = 60

  def initialize(feeds, logger)
    @feeds = feeds
    @logger = logger
  end

  def run
    loop do
      @feeds.each { |feed| refresh(feed) }
      sleep INTERVAL
    end
  end

  def refresh(feed)
    body = Net::HTTP.get(URI(feed.url))
    feed.store(body)
  rescue Exception => e
    @logger.warn("feed #{feed.url} failed: #{e.message}")
  end
end
`,
    line: 21,
    severity: "major",
  },
  {
    id: "rb-assign-condition",
    language: "ruby",
    kind: "assignment in a condition",
    path: "lib/billing/dunning.rb",
    before: null,
    after: `module Billing
  class Dunning
    LEVELS = %i[reminder warning collection].freeze

    def initialize(invoice, mailer)
      @invoice = invoice
      @mailer = mailer
    end

    def call
      return if @invoice.paid?

      level = LEVELS[@invoice.reminders_sent] || LEVELS.last
      if level = :collection
        @invoice.hand_over!
      else
        @mailer.remind(@invoice, level)
      end
      @invoice.increment!(:reminders_sent)
    end
  end
end
`,
    line: 14,
    severity: "must-fix",
  },
  {
    id: "rb-mass-assignment",
    language: "ruby",
    kind: "mass assignment of all parameters",
    path: "app/controllers/accounts_controller.rb",
    before: `class AccountsController < ApplicationController
  before_action :authenticate_user!

  def show
    render json: current_user.account
  end

  def update
    account = current_user.account
    if account.update(account_params)
      render json: account
    else
      render json: { errors: account.errors }, status: :unprocessable_entity
    end
  end

  private

  def account_params
    params.require(:account).permit(:name, :time_zone)
  end
end
`,
    after: `class AccountsController < ApplicationController
  before_action :authenticate_user!

  def show
    render json: current_user.account
  end

  def update
    account = current_user.account
    if account.update(account_params)
      render json: account
    else
      render json: { errors: account.errors }, status: :unprocessable_entity
    end
  end

  private

  def account_params
    params.require(:account).permit!
  end
end
`,
    line: 20,
    severity: "must-fix",
  },
  {
    id: "rb-nil-find-by",
    language: "ruby",
    kind: "nil result used without a check",
    path: "app/services/session_refresher.rb",
    before: `class SessionRefresher
  LIFETIME = 2.weeks

  def initialize(clock: Time)
    @clock = clock
  end

  def call(token)
    session = Session.find_by(token: token)
    return nil if session.nil?

    session.update!(expires_at: @clock.current + LIFETIME)
    session
  end

  def purge
    Session.where(expires_at: ...@clock.current).delete_all
  end
end
`,
    after: `class SessionRefresher
  LIFETIME = 2.weeks

  def initialize(clock: Time)
    @clock = clock
  end

  def call(token)
    session = Session.find_by(token: token)
    session.update!(expires_at: @clock.current + LIFETIME)
    session
  end

  def purge
    Session.where(expires_at: ...@clock.current).delete_all
  end
end
`,
    line: 10,
    severity: "major",
  },
  {
    id: "rb-marshal-load",
    language: "ruby",
    kind: "unsafe deserialization",
    path: "app/controllers/preferences_controller.rb",
    before: null,
    after: `require "base64"

class PreferencesController < ApplicationController
  before_action :authenticate_user!

  def show
    render json: preferences
  end

  def update
    merged = preferences.merge(params.require(:preferences).permit(:theme, :density).to_h)
    cookies[:preferences] = Base64.strict_encode64(Marshal.dump(merged))
    head :no_content
  end

  private

  def preferences
    return {} if cookies[:preferences].blank?

    Marshal.load(Base64.strict_decode64(cookies[:preferences]))
  end
end
`,
    line: 21,
    severity: "critical",
  },
  {
    id: "rb-duplicate-method",
    language: "ruby",
    kind: "method defined twice",
    path: "lib/geo/distance.rb",
    before: null,
    after: `module Geo
  class Distance
    EARTH_RADIUS_KM = 6371.0

    def initialize(from, to)
      @from = from
      @to = to
    end

    def kilometers
      2 * EARTH_RADIUS_KM * Math.asin(Math.sqrt(haversine))
    end

    def kilometers
      kilometers * 0.621371
    end

    private

    def haversine
      a = Math.sin(radians(@to.lat - @from.lat) / 2)**2
      b = Math.sin(radians(@to.lon - @from.lon) / 2)**2
      a + Math.cos(radians(@from.lat)) * Math.cos(radians(@to.lat)) * b
    end

    def radians(degrees)
      degrees * Math::PI / 180
    end
  end
end
`,
    line: 14,
    severity: "major",
  },
  {
    id: "rb-migration-drop",
    language: "ruby",
    kind: "migration drops a column",
    path: "db/migrate/20260301101500_remove_phone_from_users.rb",
    before: null,
    after: `class RemovePhoneFromUsers < ActiveRecord::Migration[7.1]
  def up
    execute <<~SQL.squish
      UPDATE contacts SET phone = users.phone
      FROM users WHERE contacts.user_id = users.id AND contacts.phone IS NULL
    SQL
    add_index :contacts, :phone
    remove_column :users, :phone
  end

  def down
    add_column :users, :phone, :string
    remove_index :contacts, :phone
  end
end
`,
    line: 8,
    severity: "major",
  },
];
