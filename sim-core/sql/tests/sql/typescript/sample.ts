// A program that uses the generated types as clients do. It only has to compile.
import type { Database as Chat } from "./chat"
import type { CompositeTypes, Database, Enums, Json, Tables, TablesInsert, TablesUpdate } from "./shop"
import { Constants } from "./shop"
import type { Database as Saas, Tables as SaasTables } from "./saas"

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function holds<_ extends true>(): void {}

const product: Tables<"product"> = {
  attributes: { color: "red", sizes: [1, 2, null] },
  category_id: null,
  gross: 12,
  id: 1,
  listed: "2024-05-06",
  price: 10,
  ratings: [5, 4],
  search: null,
  tags: ["a"],
  title: "Chair",
  title_upper: "CHAIR",
  unit: "kg",
  weight: null,
}

// What has a default can be left out; what is generated always cannot be given.
const inserted: TablesInsert<"product"> = { price: 1, title: "x" }
const category: TablesInsert<"category"> = { slug: "home" }
// @ts-expect-error
const withId: TablesInsert<"category"> = { id: 1, slug: "home" }
// @ts-expect-error
const withoutTitle: TablesInsert<"product"> = { price: 1 }
const changed: TablesUpdate<"order_line"> = { qty: 2 }

const state: Enums<"order_state"> = Constants.public.Enums.order_state[0]
const home: CompositeTypes<"address"> = { city: null, country: "de", postcode: null, street: "High St" }
const row: Tables<{ schema: "public" }, "coupon"> = {
  amount: null,
  code: "x",
  "max uses": 3,
  percent: 5,
  valid: null,
}
const anything: Json = { deep: [{ er: true }] }

type Shop = Database["public"]
holds<Equal<Shop["Tables"]["invoice"]["Relationships"][0]["isOneToOne"], true>>()
holds<Equal<Shop["Tables"]["review"]["Relationships"][1]["columns"], ["product_id"]>>()
holds<Equal<Shop["Functions"]["totals"]["Returns"][number]["n"], number>>()
holds<Equal<Shop["Functions"]["search_products"]["Args"], { term: string; maximum?: number; only_listed?: boolean }>>()
holds<Equal<Tables<"customer">["home"], CompositeTypes<"address"> | null>>()
holds<Equal<Tables<"orders">["history"], Enums<"order_state">[] | null>>()
holds<Equal<Tables<"sales">["sold"], number | null>>()
holds<Equal<Chat["private"]["Tables"]["ban"]["Row"]["reasons"], ("spam" | "abuse" | "other")[] | null>>()
holds<Equal<Chat["public"]["Functions"]["unread"]["Args"], Record<PropertyKey, never>>>()
holds<Equal<Saas["public"]["Views"]["open_projects"]["Update"]["title"], undefined>>()
holds<Equal<SaasTables<"Feature Flag">["Is On"], boolean>>()

console.log(product, inserted, category, withId, withoutTitle, changed, state, home, row, anything)
