type DefaultSchema = Database[Extract<keyof Database, "public">]

export type Tables<
  NameOrOptions extends
    | keyof (DefaultSchema["Tables"] & DefaultSchema["Views"])
    | { schema: keyof Database },
  Name extends NameOrOptions extends { schema: keyof Database }
    ? keyof (Database[NameOrOptions["schema"]]["Tables"] &
        Database[NameOrOptions["schema"]]["Views"])
    : never = never,
> = NameOrOptions extends { schema: keyof Database }
  ? (Database[NameOrOptions["schema"]]["Tables"] &
      Database[NameOrOptions["schema"]]["Views"])[Name] extends {
      Row: infer R
    }
    ? R
    : never
  : NameOrOptions extends keyof (DefaultSchema["Tables"] &
        DefaultSchema["Views"])
    ? (DefaultSchema["Tables"] &
        DefaultSchema["Views"])[NameOrOptions] extends {
        Row: infer R
      }
      ? R
      : never
    : never

export type TablesInsert<
  NameOrOptions extends
    | keyof DefaultSchema["Tables"]
    | { schema: keyof Database },
  Name extends NameOrOptions extends { schema: keyof Database }
    ? keyof Database[NameOrOptions["schema"]]["Tables"]
    : never = never,
> = NameOrOptions extends { schema: keyof Database }
  ? Database[NameOrOptions["schema"]]["Tables"][Name] extends {
      Insert: infer I
    }
    ? I
    : never
  : NameOrOptions extends keyof DefaultSchema["Tables"]
    ? DefaultSchema["Tables"][NameOrOptions] extends {
        Insert: infer I
      }
      ? I
      : never
    : never

export type TablesUpdate<
  NameOrOptions extends
    | keyof DefaultSchema["Tables"]
    | { schema: keyof Database },
  Name extends NameOrOptions extends { schema: keyof Database }
    ? keyof Database[NameOrOptions["schema"]]["Tables"]
    : never = never,
> = NameOrOptions extends { schema: keyof Database }
  ? Database[NameOrOptions["schema"]]["Tables"][Name] extends {
      Update: infer U
    }
    ? U
    : never
  : NameOrOptions extends keyof DefaultSchema["Tables"]
    ? DefaultSchema["Tables"][NameOrOptions] extends {
        Update: infer U
      }
      ? U
      : never
    : never

export type Enums<
  NameOrOptions extends
    | keyof DefaultSchema["Enums"]
    | { schema: keyof Database },
  Name extends NameOrOptions extends { schema: keyof Database }
    ? keyof Database[NameOrOptions["schema"]]["Enums"]
    : never = never,
> = NameOrOptions extends { schema: keyof Database }
  ? Database[NameOrOptions["schema"]]["Enums"][Name]
  : NameOrOptions extends keyof DefaultSchema["Enums"]
    ? DefaultSchema["Enums"][NameOrOptions]
    : never

export type CompositeTypes<
  NameOrOptions extends
    | keyof DefaultSchema["CompositeTypes"]
    | { schema: keyof Database },
  Name extends NameOrOptions extends { schema: keyof Database }
    ? keyof Database[NameOrOptions["schema"]]["CompositeTypes"]
    : never = never,
> = NameOrOptions extends { schema: keyof Database }
  ? Database[NameOrOptions["schema"]]["CompositeTypes"][Name]
  : NameOrOptions extends keyof DefaultSchema["CompositeTypes"]
    ? DefaultSchema["CompositeTypes"][NameOrOptions]
    : never
